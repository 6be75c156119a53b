// Mails about inbox items: all due items of a member are one mail, which is queued in the transaction that marks the items as mailed.

import { recordIn } from '../../contacts/records/hanging/ref.ts'
import { titleOfRecord } from '../../contacts/records/hanging/title.ts'
import { mailNotice } from '../../identity/users/notice.ts'
import { type Context, createContext, inTransaction, type Services } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { handlerOf } from '../../kernel/queue/handler.ts'
import { disabledSentence } from '../../webhooks/endpoints/stop.ts'
import type { InboxItem } from '../items/item.sql.ts'
import { keepDigest } from '../preferences/preference.sql.ts'
import { waysOf } from '../preferences/preference.ts'
import { endDue, lockDue } from './mails.sql.ts'
import { mailOf, type Told } from './text.ts'
import { mailsDueItem, type Recipient } from './times.ts'

// A minute: what comes shortly after a mail waits for it, and shares the next one.
const gapMs = 60_000
// More would be a long transaction. The next mail has the rest.
const maxItems = 1000

/** Mails the due items of the member. An item that the member has changed meanwhile is known, and one of a kind without mails is left out. */
export async function mailDue(services: Services, person: Recipient): Promise<void> {
  const { orgId, userId } = person
  const principal = { kind: 'system', name: 'inbox', orgId } as const
  const context = createContext(services, { principal, requestId: newId(), door: 'tasks', operation: 'mailDue' })
  await services.database.transaction(async db => {
    const inside = inTransaction(context, db)
    const now = context.now()
    const due = await db.query(lockDue, [orgId, userId, now.toISOString(), maxItems])
    if (due.length === 0) return
    const where = { userId_orgId: person }
    const last = (await db.prisma.inboxDigest.findUnique({ where }))?.untilAt ?? null
    const next = new Date((last?.getTime() ?? 0) + gapMs)
    if (next > now) return void (await services.queue.enqueue(mailsDueItem, person, { db, startAfter: next }))
    await db.query(endDue, [due.map(({ id }) => id)])
    await db.query(keepDigest, [userId, orgId, null, now.toISOString()])
    const ways = await waysOf(db, [person])
    const told = due.filter(({ kind, version }) => version === 1 && ways(person, kind).mail !== 'off')
    const isDaily = told.some(({ kind }) => ways(person, kind).mail === 'daily')
    if (told.length > 0) await mail(inside, person, told, isDaily)
    if (due.length === maxItems) await services.queue.enqueue(mailsDueItem, person, { db, startAfter: new Date(now.getTime() + gapMs) })
  })
}

export const mailsDueHandler = handlerOf(mailsDueItem, (services, { payload }) => mailDue(services, payload))

async function mail(context: Context, { orgId, userId }: Recipient, items: readonly InboxItem[], isDaily: boolean): Promise<void> {
  const { prisma } = context.db
  const member = await prisma.membership.findUnique({
    where: { userId_organizationId: { userId, organizationId: orgId } },
    select: { user: { select: { email: true } }, organization: { select: { name: true } } },
  })
  if (!member?.user.email) return
  const told = await withDetails(context, items)
  const { subject, text } = mailOf(told, member.organization.name, context.services.config.PUBLIC_URL ?? '', isDaily)
  await mailNotice(context, { userId, to: member.user.email, subject, text })
}

async function withDetails(context: Context, items: readonly InboxItem[]): Promise<Told[]> {
  const orgId = items[0]?.orgId ?? ''
  const found = (ids: string[]) => ({ id: { in: ids }, orgId })
  const { contactTask, webhookEndpoint } = context.db.prisma
  const subjects = (type: string) => items.flatMap(({ subjectType, subjectId }) => (subjectType === type ? [subjectId] : []))
  const tasks = await contactTask.findMany({ where: found(subjects('contact_task')), select: { id: true, dueAt: true, description: true } })
  const endpoints = await webhookEndpoint.findMany({
    where: found(subjects('webhook_endpoint')),
    select: { id: true, disabledReason: true },
  })
  const details = new Map<string, readonly string[]>([
    ...tasks.map(
      ({ id, dueAt, description }) =>
        [
          id,
          [...(dueAt ? [`Due: ${dueAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`] : []), ...(description ? [description] : [])],
        ] as const,
    ),
    ...endpoints.map(({ id, disabledReason }) => [id, disabledReason ? [disabledSentence(disabledReason)] : []] as const),
  ])
  return Promise.all(
    items.map(async item => {
      const ref = recordIn(item)
      const record = ref && { ...ref, name: (await titleOfRecord(context, ref)) || null }
      return { ...item, record, details: details.get(item.subjectId) ?? [] }
    }),
  )
}
