// Numbers that an organization never calls, whoever they belong to.

import { v7 as uuid } from 'uuid'
import { at, Failed, text } from '../contacts/contact-value.ts'
import { isTime, Page, type PageArgs, pageOf } from '../contacts/page.ts'
import { type Context, inTransaction, organizationOf } from '../context.ts'
import { statement } from '../database/client.ts'
import { invalid, notFound } from '../errors.ts'
import { recordEvent } from '../events.ts'
import { type Actor, actorOf } from '../identity/principal.ts'
import { dialable } from './input.ts'

/** A number that the organization never calls. */
export interface DeniedNumber {
  id: string
  phone: string
  reason: string | null
  createdBy: Actor
  createdAt: string
}

interface DeniedRow {
  id: string
  phone: string
  reason: string | null
  type: Actor['type']
  actorId: string | null
  name: string | null
  createdAt: string
}
const deniedColumns =
  'id, phone, reason, created_by_type as type, created_by_id as "actorId", created_by_name as name, created_at as "createdAt"'
const deniedFrom = ({ id, phone, reason, type, actorId, name, createdAt }: DeniedRow): DeniedNumber => ({
  id,
  phone,
  reason,
  createdBy: { type, id: actorId, name },
  createdAt,
})
const select = (name: string, after: string) =>
  statement<DeniedRow>(
    name,
    `select ${deniedColumns} from denied_numbers where org_id = $1 and ($2::text is null or phone = $2)${after}
     order by created_at desc, id desc limit $3`,
  )
const selectFirst = select('denied_numbers', '')
const selectAfter = select('denied_numbers_after', ' and (created_at, id) < ($4::timestamptz, $5::uuid)')
const insertDenied = statement<DeniedRow>(
  'denied_number_insert',
  `insert into denied_numbers as d (id, org_id, phone, reason, created_by_type, created_by_id, created_by_name, created_at)
   values ($8, $1, $2, $3, $4, $5, $6, $7) on conflict (org_id, phone) do update set reason = coalesce(excluded.reason, d.reason)
   returning ${deniedColumns}`,
)
const deleteDenied = statement<DeniedRow>(
  'denied_number_delete',
  `delete from denied_numbers where org_id = $1 and phone = $2 returning ${deniedColumns}`,
)

/** One page of the organization's numbers that are never called, newest first. */
export async function listDeniedNumbers(
  context: Context,
  { phone, ...args }: PageArgs & { phone?: string | null },
): Promise<Page<DeniedNumber>> {
  const name = `denied numbers ${phone ?? ''}`
  const page = pageOf(args, name, isTime)
  const values = [organizationOf(context), phone ?? null, page.size + 1]
  const rows = page.start
    ? await context.db.query(selectAfter, [...values, page.start.key, page.start.id])
    : await context.db.query(selectFirst, values)
  return new Page(
    rows.map(row => ({ row: deniedFrom(row), key: row.createdAt })),
    page,
    name,
  )
}

/** Puts a number on the list. Calls to it that wait are blocked when their turn comes. */
export async function denyNumber(context: Context, phone: string, reason?: string | null): Promise<DeniedNumber> {
  const orgId = organizationOf(context)
  const number = dialable(phone)
  const why = reason == null ? null : text(500)(reason)
  const problems = [...(number instanceof Failed ? at('phone', number) : []), ...(why instanceof Failed ? at('reason', why) : [])]
  if (problems.length > 0 || number instanceof Failed || why instanceof Failed) throw invalid(problems)
  const { type, id, name } = actorOf(context.principal)
  return context.db.transaction(async tx => {
    const [row] = await tx.query(insertDenied, [orgId, number, why, type, id, name, context.now().toISOString(), uuid()])
    if (!row) throw new Error('A number was inserted and not returned')
    await recordEvent(inTransaction(context, tx), { type: 'denied_number.added', entityId: number, changes: { reason: why } })
    return deniedFrom(row)
  })
}

/** Takes a number off the list. */
export async function allowNumber(context: Context, phone: string): Promise<DeniedNumber> {
  const orgId = organizationOf(context)
  return context.db.transaction(async tx => {
    const [row] = await tx.query(deleteDenied, [orgId, phone])
    if (!row) throw notFound('denied number', phone)
    await recordEvent(inTransaction(context, tx), { type: 'denied_number.removed', entityId: phone })
    return deniedFrom(row)
  })
}
