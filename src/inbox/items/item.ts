// Inbox items: what a member should know of. The member reads them, is done with them, or lets them come back later.

import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { type Batch, inOrder, load } from '../../kernel/dataloaders.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import type { OutboxEvent } from '../../kernel/events/event.sql.ts'
import { recordEvent, recordEvents } from '../../kernel/events/events.ts'
import { isId } from '../../kernel/ids.ts'
import { type Problem, valueError } from '../../kernel/input/problem.ts'
import { nextVersion, requireVersion } from '../../kernel/input/version.ts'
import { isTime, type ListArgs, Page, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import {
  countItems,
  countOpen,
  finishItems,
  type InboxItem,
  type InboxKind,
  type InboxState,
  itemEvents,
  itemsById,
  lockItem,
  lockOpen,
  selectItems,
} from './item.sql.ts'
import { personIn, personOf } from './person.ts'
import { returnLater } from './return-queue.ts'

export interface InboxList extends ListArgs {
  state: InboxState
  kind?: InboxKind | null
}

export interface InboxChange {
  id: string
  done?: boolean | null
  snoozedUntil?: Date | null
  ifVersion?: number | null
}

/** The state of an item. */
export const stateOf = ({ doneAt, snoozedUntil }: InboxItem): InboxState =>
  doneAt !== null ? 'done' : snoozedUntil !== null ? 'snoozed' : 'open'

/** Loads items of the caller. */
export const loadItems: Batch<string, InboxItem | null> = async (context, ids) => {
  const userId = personIn(context.principal)
  if (userId === null) return ids.map(() => null)
  return inOrder(ids, await context.db.query(itemsById, [organizationOf(context), userId, ids]), item => item.id)
}

/** An item of the caller by its id. Throws NOT_FOUND, also for items of others. */
export async function getItem(context: Context, id: string): Promise<InboxItem> {
  personOf(context)
  const item = isId(id) ? await load(context, loadItems, id.toLowerCase()) : null
  if (!item) throw notFound('inbox item', id)
  return item
}

/** The caller's items in a state, newest first. */
export async function listItems(context: Context, { state, kind, counted, ...args }: InboxList): Promise<Page<InboxItem>> {
  const list = `inbox ${state} ${kind ?? ''}`
  const values = [organizationOf(context), personOf(context), kind ?? null]
  const page = pageOf(args, list, isTime)
  const total = totalOf(counted, async () => (await bounded(context, db => db.query(countItems[state], values)))[0]?.total ?? 0)
  const position = page.start ? [page.start.key, page.start.id] : []
  const found = await context.db.query(selectItems[state](page), [...values, page.size + 1, ...position])
  return new Page(
    found.map(row => ({ row, key: row.shownAt })),
    page,
    list,
    total,
  )
}

/** The number of the caller's open items, at most `maxBell`. */
export async function countOpenItems(context: Context): Promise<number> {
  const [counted] = await context.db.query(countOpen, [organizationOf(context), personOf(context)])
  return counted?.total ?? 0
}

/** Whether the caller may see an event of an item: only its member may. */
export async function maySeeEventOfItem(
  { principal }: Context,
  { changes: { privateTo } }: Pick<OutboxEvent, 'changes'>,
): Promise<boolean> {
  return typeof privateTo === 'string' && privateTo === personIn(principal)
}

const dayMs = 86_400_000
// A year: a later time means never.
const maxSnoozeMs = 366 * dayMs

/** The problems of a change, at the time `now`. */
export function problemsOfChange({ done, snoozedUntil }: Omit<InboxChange, 'id'>, now: Date): Problem[] {
  if (snoozedUntil == null) return []
  const ahead = snoozedUntil.getTime() - now.getTime()
  const given = snoozedUntil.toISOString()
  return [
    ...(done ? [valueError('snoozedUntil', 'an item is done or comes back later, not both: leave one of the two out', given)] : []),
    ...(ahead <= 0 ? [valueError('snoozedUntil', `it lies in the past; now it is ${now.toISOString()}`, given)] : []),
    ...(ahead > maxSnoozeMs ? [valueError('snoozedUntil', 'it is more than a year ahead', given)] : []),
  ]
}

/** Finishes, reopens or snoozes an item of the caller; writes nothing where it is so already. Throws NOT_FOUND, INVALID, PRECONDITION_FAILED. */
export async function updateItem(context: Context, { id, ifVersion, done, snoozedUntil }: InboxChange): Promise<InboxItem> {
  const orgId = organizationOf(context)
  const userId = personOf(context)
  const problems = problemsOfChange({ done: done ?? null, snoozedUntil: snoozedUntil ?? null }, context.now())
  if (problems.length > 0) throw invalid(problems)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const [before] = isId(id) ? await db.query(lockItem, [orgId, id]) : []
    if (before?.userId !== userId) throw notFound('inbox item', id)
    requireVersion('inbox item', before, ifVersion)
    const after = { ...before, ...changesOf(before, { done, snoozedUntil }, context.now().toISOString()) }
    const pairs = (['doneAt', 'snoozedUntil'] as const).flatMap(field =>
      before[field] === after[field] ? [] : [[field, [before[field], after[field]]] as const],
    )
    if (pairs.length === 0) return before
    const { doneAt, shownAt, snoozedUntil: until } = after
    const written = { doneAt, shownAt, snoozedUntil: until, ...nextVersion(context, before) }
    await db.prisma.inboxItem.update({ where: { id: before.id, orgId }, data: written })
    const changes = { ...Object.fromEntries(pairs), privateTo: userId }
    await recordEvent(tx, { type: itemEvents.updated, entityId: before.id, changes })
    await returnLater(tx, after)
    return { ...after, ...written }
  })
}

function changesOf(before: InboxItem, { done, snoozedUntil }: Omit<InboxChange, 'id'>, now: string): Partial<InboxItem> {
  if (snoozedUntil) {
    const until = snoozedUntil.toISOString()
    return { doneAt: null, snoozedUntil: until, shownAt: until }
  }
  const isWoken = snoozedUntil === null && before.snoozedUntil !== null
  const here = { snoozedUntil: null, shownAt: isWoken || (done && before.snoozedUntil !== null) ? before.createdAt : before.shownAt }
  if (done) return { ...here, doneAt: before.doneAt ?? now }
  return { ...(isWoken && here), ...(done === false && { doneAt: null }) }
}

// One transaction with as many events. A caller with more open items sends it again.
const maxFinished = 1000

/** Finishes the caller's open items, of the kind if one is given, oldest first, 1,000 at most. Resolves with their number. */
export async function finishInbox(context: Context, kind: InboxKind | null): Promise<number> {
  const orgId = organizationOf(context)
  const userId = personOf(context)
  return context.db.transaction(async db => {
    const found = await db.query(lockOpen, [orgId, userId, kind, maxFinished])
    if (found.length === 0) return 0
    const now = context.now().toISOString()
    await db.query(finishItems, [found.map(({ id }) => id), now])
    await recordEvents(
      inTransaction(context, db),
      found.map(({ id }) => ({ type: itemEvents.updated, entityId: id, changes: { doneAt: [null, now], privateTo: userId } })),
    )
    return found.length
  })
}
