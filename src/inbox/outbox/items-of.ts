// The items that committed events make: whom an event concerns, and what the item says. Nobody is told of an own action.

import { idsOf, type RecordIdName, type RecordIds } from '../../contacts/records/hanging/ref.ts'
import { recordNouns } from '../../contacts/records/nouns.ts'
import type { Queries } from '../../database/client.ts'
import type { Statement } from '../../database/statement.ts'
import type { Services } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { shorten } from '../../kernel/input/cut.ts'
import { endpointEvents } from '../../webhooks/endpoints/endpoint.sql.ts'
import type { InboxItem, InboxKind } from '../items/item.sql.ts'
import type { ToldEvent } from './reader.sql.ts'
import { decision, kindOf } from './told.ts'
import { type Ended, endedBulkChanges, endedCalls, endedImports, endedJobs } from './work.sql.ts'

/** An item, before it has an id and the times. */
type Draft = Pick<InboxItem, 'userId' | 'kind' | 'subjectType' | 'subjectId'> &
  Partial<Pick<InboxItem, RecordIdName | 'title' | 'result' | 'count'>>

/** The drafts of the events of a kind, in the order of the events. */
type Drafts = (db: Queries, events: readonly ToldEvent[]) => Promise<(readonly [ToldEvent, Draft])[]>

const maxTitle = 200

/** The items of the events, in their order. One request may assign many subjects of a type to a member: one item counts them. */
export async function itemsOf({ now }: Services, db: Queries, events: readonly ToldEvent[]): Promise<InboxItem[]> {
  const drafts: (readonly [ToldEvent, Draft])[] = []
  for (const [kind, ofKind] of Map.groupBy(events, ({ type }) => kindOf.get(type)))
    if (kind !== undefined) drafts.push(...(await draftsOf[kind](db, ofKind)))
  const items = new Map<string, InboxItem>()
  for (const [event, draft] of drafts.toSorted(([one], [other]) => one.sequence - other.sequence)) {
    const { kind, userId, subjectType, title = null } = draft
    const key = kind === 'assigned' ? `${userId} ${subjectType} ${event.requestId}` : `${userId} ${event.id}`
    const first = items.get(key)
    if (first) first.count += draft.count ?? 1
    else items.set(key, itemOf(event, { ...draft, title: title && shorten(title, maxTitle) }, now()))
  }
  return [...items.values()]
}

const itemOf = ({ id: eventId, orgId, actor, createdAt }: ToldEvent, draft: Draft, now: Date): InboxItem => ({
  ...{ contactId: null, companyId: null, dealId: null, title: null, result: null, count: 1 },
  ...draft,
  ...{ id: newId(), orgId, eventId, actor, createdAt, updatedAt: now.toISOString(), shownAt: createdAt },
  ...{ doneAt: null, snoozedUntil: null, mailAt: null, version: 1 },
})

const isText = (value: unknown): value is string => typeof value === 'string'
const isBy = ({ actor }: ToldEvent, userId: string) => actor.type === 'user' && actor.id === userId

async function assignments(db: Queries, events: readonly ToldEvent[]) {
  const ofTasks = events.filter(({ type }) => type.startsWith('contact_task.'))
  const tasks = new Map((await tasksOf(db, ofTasks)).map(task => [task.id, task]))
  return events.flatMap(event => {
    const { before, after: userId } = decision(event)
    if (!isText(userId) || userId === before || isBy(event, userId)) return []
    const { entityId: subjectId } = event
    const [subjectType = ''] = event.type.split('.')
    const task = tasks.get(subjectId)
    const noun = recordNouns.values.find(one => one === subjectType)
    const about = noun ? idsOf({ noun, id: subjectId }) : recordIdsOf(event, task)
    return [[event, { kind: 'assigned', userId, subjectType, subjectId, ...about, title: task?.title ?? null }] as const]
  })
}

async function mentions(db: Queries, events: readonly ToldEvent[]) {
  const notes = new Map((await notesOf(db, events)).map(note => [note.id, note]))
  return events.flatMap(event => {
    const { before, after } = decision(event)
    const known = Array.isArray(before) ? before : []
    const { text } = event.changes
    const words = Array.isArray(text) ? text[1] : text
    return (Array.isArray(after) ? after : []).filter(isText).flatMap(userId => {
      if (known.includes(userId) || isBy(event, userId)) return []
      const subjectId = idOfNote(event)
      const subject = { subjectType: 'note', subjectId, ...recordIdsOf(event, notes.get(subjectId)) }
      return [[event, { kind: 'mentioned', userId, ...subject, title: isText(words) ? words : null }] as const]
    })
  })
}

async function reminders(db: Queries, events: readonly ToldEvent[]) {
  const tasks = new Map((await tasksOf(db, events)).map(task => [task.id, task]))
  return events.flatMap(event => {
    const task = tasks.get(event.entityId)
    const { assigneeUserId, title } = event.changes
    // A task that nobody has to do reminds the member who made it.
    const maker = task?.createdByType === 'user' ? task.createdById : null
    const userId = isText(assigneeUserId) ? assigneeUserId : maker
    if (userId === null) return []
    const subject = { subjectType: 'contact_task', subjectId: event.entityId, ...recordIdsOf(event, task) }
    return [[event, { kind: 'reminder_due', userId, ...subject, title: isText(title) ? title : null }] as const]
  })
}

/** `read` finds the work that members have begun. One that canceled it knows. */
const endsOf =
  (kind: InboxKind, read: Statement<Ended>): Drafts =>
  async (db, events) => {
    const found = new Map((await db.query(read, [events.map(({ entityId }) => entityId)])).map(row => [row.id, row]))
    return events.flatMap(event => {
      const work = found.get(event.entityId)
      if (!work) return []
      const { id: subjectId, userId, contactId, companyId, title, result, count, ownerUserId, isTold } = work
      const [subjectType = ''] = event.type.split('.')
      const drafts: (readonly [ToldEvent, Draft])[] = []
      if (isTold && !(result === 'canceled' && isBy(event, userId)))
        drafts.push([event, { kind, userId, subjectType, subjectId, contactId, companyId, title, result, count }])
      if (ownerUserId !== null && ownerUserId !== userId)
        drafts.push([event, { kind: 'assigned', userId: ownerUserId, subjectType, subjectId, count }])
      return drafts
    })
  }

async function creditsLow(db: Queries, events: readonly ToldEvent[]) {
  const leaders = await leadersOf(db, events)
  return events.flatMap(event =>
    [...new Set([event.entityId, ...(leaders.get(event.orgId) ?? [])])].map(
      userId => [event, { kind: 'credits_low', userId, subjectType: 'credits', subjectId: event.entityId }] as const,
    ),
  )
}

async function webhookFailing(db: Queries, events: readonly ToldEvent[]) {
  const leaders = await leadersOf(db, events)
  const where = { id: { in: events.map(({ entityId }) => entityId) }, orgId: { in: orgIdsOf(events) } }
  const endpoints = await db.prisma.webhookEndpoint.findMany({ where, select: { id: true, url: true, makerUserId: true } })
  return events.flatMap(event => {
    const endpoint = endpoints.find(({ id }) => id === event.entityId)
    if (!endpoint) return []
    return [...new Set([endpoint.makerUserId, ...(leaders.get(event.orgId) ?? [])])].map(userId => {
      const subject = { subjectType: 'webhook_endpoint', subjectId: endpoint.id, title: new URL(endpoint.url).origin }
      const result = event.type === endpointEvents.disabled ? 'failed' : null
      return [event, { kind: 'webhook_failing', userId, ...subject, result }] as const
    })
  })
}

const draftsOf: Readonly<Record<InboxKind, Drafts>> = {
  assigned: assignments,
  mentioned: mentions,
  reminder_due: reminders,
  call_ended: endsOf('call_ended', endedCalls),
  job_ended: endsOf('job_ended', endedJobs),
  import_ended: endsOf('import_ended', endedImports),
  bulk_change_ended: endsOf('bulk_change_ended', endedBulkChanges),
  credits_low: creditsLow,
  webhook_failing: webhookFailing,
}

const selectedIds = { id: true, contactId: true, companyId: true, dealId: true } as const

const orgIdsOf = (events: readonly ToldEvent[]) => [...new Set(events.map(({ orgId }) => orgId))]

async function tasksOf(db: Queries, events: readonly ToldEvent[]) {
  if (events.length === 0) return []
  const where = { id: { in: events.map(({ entityId }) => entityId) }, orgId: { in: orgIdsOf(events) } }
  const select = { ...selectedIds, title: true, createdByType: true, createdById: true }
  return await db.prisma.contactTask.findMany({ where, select })
}

async function notesOf(db: Queries, events: readonly ToldEvent[]) {
  const where = { id: { in: events.map(idOfNote) }, orgId: { in: orgIdsOf(events) } }
  return await db.prisma.contactNote.findMany({ where, select: selectedIds })
}

const idOfNote = ({ entityId, changes: { noteId } }: ToldEvent): string => (isText(noteId) ? noteId : entityId)

/** The record of the event's task or note. Of one that is deleted meanwhile, the event still has the record, and a deal's company. */
const recordIdsOf = (event: ToldEvent, found: RecordIds | undefined): RecordIds => {
  const { contactId, companyId, dealId } = found ?? event
  return { contactId, companyId: dealId === null ? companyId : null, dealId }
}

/** The owners and admins of each organization. */
async function leadersOf(db: Queries, events: readonly ToldEvent[]): Promise<ReadonlyMap<string, string[]>> {
  const where = { organizationId: { in: orgIdsOf(events) }, role: { in: ['owner', 'admin'] } }
  const found = await db.prisma.membership.findMany({ where, select: { userId: true, organizationId: true } })
  return new Map(
    [...Map.groupBy(found, ({ organizationId }) => organizationId)].map(([orgId, members]) => [orgId, members.map(({ userId }) => userId)]),
  )
}
