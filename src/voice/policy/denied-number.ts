// The deny list: numbers that an organization must never call.

import type { DeniedNumber } from '../../generated/prisma/client.ts'
import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { text } from '../../kernel/input/fields.ts'
import { at, Invalid } from '../../kernel/input/problem.ts'
import { byAge, isTime, type ListArgs, Page, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import { eventsOf } from '../../kernel/nouns/events.ts'
import { actorOf } from '../../kernel/principal.ts'
import { dialable } from '../fields.ts'

const events = eventsOf('denied_number', {
  added: 'A telephone number must not be called.',
  removed: 'A telephone number may be called again.',
})

/** One page of the organization's deny list, newest first. */
export async function listDeniedNumbers(
  context: Context,
  { phone, counted, ...args }: ListArgs & { phone?: string | null },
): Promise<Page<DeniedNumber>> {
  const name = `denied numbers ${phone ?? ''}`
  const page = pageOf(args, name, isTime)
  const where = { orgId: organizationOf(context), ...(phone != null && { phone }) }
  const total = totalOf(counted, () => bounded(context, ({ prisma }) => prisma.deniedNumber.count({ where })))
  const asked = byAge(page)
  const rows = await context.db.prisma.deniedNumber.findMany({ ...asked, where: { ...where, ...asked.where } })
  return new Page(
    rows.map(row => ({ row, key: row.createdAt.toISOString() })),
    page,
    name,
    total,
  )
}

/** Adds a number. Waiting calls to it are blocked when they are claimed. */
export async function denyNumber(context: Context, phone: string, reason?: string | null): Promise<DeniedNumber> {
  const orgId = organizationOf(context)
  const number = dialable(phone)
  const why = reason == null ? null : text(500)(reason)
  const problems = [...(number instanceof Invalid ? at('phone', number) : []), ...(why instanceof Invalid ? at('reason', why) : [])]
  if (problems.length > 0 || number instanceof Invalid || why instanceof Invalid) throw invalid(problems)
  const { type, id, name } = actorOf(context.principal)
  return context.db.transaction(async tx => {
    const row = await tx.prisma.deniedNumber.upsert({
      where: { orgId_phone: { orgId, phone: number } },
      create: {
        id: newId(),
        orgId,
        phone: number,
        reason: why,
        createdByType: type,
        createdById: id,
        createdByName: name,
        createdAt: context.now(),
      },
      // Not empty, because for an empty update Prisma sends a select and an insert instead of one upsert, and concurrent requests would
      // conflict.
      update: { phone: number, ...(why !== null && { reason: why }) },
    })
    await recordEvent(inTransaction(context, tx), { type: events.added, entityId: number, changes: { reason: why } })
    return row
  })
}

/** Removes a number from the list. Throws NOT_FOUND if it is not on it. */
export async function allowNumber(context: Context, phone: string): Promise<DeniedNumber> {
  const orgId = organizationOf(context)
  return context.db.transaction(async tx => {
    const row = await tx.prisma.deniedNumber.findUnique({ where: { orgId_phone: { orgId, phone } } })
    // Not `delete`, which fails when another request has deleted the row meanwhile.
    const { count } = await tx.prisma.deniedNumber.deleteMany({ where: { orgId, phone } })
    if (!row || count === 0) throw notFound('denied number', phone)
    await recordEvent(inTransaction(context, tx), { type: events.removed, entityId: phone })
    return row
  })
}
