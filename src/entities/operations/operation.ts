// Operations: the receipt of a write, from its events and from the answer stored for its Idempotency-Key.

import { seenIfAny } from '../../credits/accounts/account.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import type { Door } from '../../kernel/door.ts'
import { notFound } from '../../kernel/errors.ts'
import { keyOfOperation } from '../../kernel/idempotency/idempotency.sql.ts'
import { isId } from '../../kernel/ids.ts'
import { directionOf, isTime, type Keyed, Page, type PageArgs, type PageRequest, pageOf } from '../../kernel/lists/pagination.ts'
import { creditsOf } from '../../kernel/money.ts'
import { allNouns, readableNouns } from '../../kernel/nouns/nouns.ts'
import { type Actor, actorOf, isAllowed } from '../../kernel/principal.ts'
import { type OperationEvent, readOperation, readOperationEvents } from './operation.sql.ts'

export interface Operation {
  id: string
  name: string
  door: Door
  actor: Actor
  createdAt: string
  /** Null without a key, 24 hours after the write, and when the answer contains a secret. */
  idempotencyKey: string | null
  replays: number
  /** In credits; null for callers who may not read credits. */
  creditsTaken: number | null
  creditsReserved: number | null
  eventCount: number
}

/**
 * The write with this id, according to the events that the caller may read. Throws NOT_FOUND for an unknown id, and for a write that
 * changed nothing, belongs to another organization, or has no events that the caller may read.
 */
export async function getOperation(context: Context, id: string): Promise<Operation> {
  const values = await valuesOf(context, id)
  const [found] = values ? await context.db.query(readOperation, values) : []
  if (!found) throw notFound('operation', id)
  const [key] = await context.db.query(keyOfOperation, [id])
  const readsCredits = isAllowed(context.principal, 'credits:read')
  const { takenMicro, reservedMicro, operation, ...others } = found
  return {
    ...others,
    id: id.toLowerCase(),
    name: operation,
    idempotencyKey: key?.key ?? null,
    replays: key?.replays ?? 0,
    creditsTaken: readsCredits ? creditsOf(takenMicro) : null,
    creditsReserved: readsCredits ? creditsOf(reservedMicro) : null,
  }
}

/** A page of the events of a write, in the order in which they were recorded. */
export async function eventsOf(context: Context, { id, eventCount }: Operation, args: PageArgs): Promise<Page<OperationEvent>> {
  const list = `operation ${id}`
  const page = pageOf(args, list, isTime)
  const direction = directionOf(page, 'asc')
  const values = await valuesOf(context, id, page)
  const events = values ? await context.db.query(readOperationEvents[direction], [...values, page.size + 1]) : []
  return new Page(events.map(withKey), page, list, () => eventCount)
}

const withKey = (row: OperationEvent): Keyed<OperationEvent> => ({ row, key: row.createdAt })

// A minute: no write takes longer. A second before, because a clock may be set back.
const [secondsBefore, secondsAfter] = [1, 60]

async function valuesOf(context: Context, id: string, page?: PageRequest): Promise<unknown[] | null> {
  const orgId = organizationOf(context)
  const at = timeIn(id)
  if (at === null) return null
  const entities = readableNouns(context)
  const seen = entities.includes('credits') ? await seenIfAny(context) : null
  let [from, to] = [idAt(at - secondsBefore * 1000), idAt(at + secondsAfter * 1000)]
  const start = page?.start?.id
  // A cursor can only narrow the range.
  if (start !== undefined && start > from && start < to) [from, to] = page?.isBackward ? [from, start] : [start, to]
  return [
    orgId,
    id.toLowerCase(),
    from,
    to,
    entities,
    seen?.userId ?? null,
    actorOf(context.principal).id,
    seen?.orgId != null,
    personalNouns(),
  ]
}

/** The milliseconds in a UUIDv7; null for any other text. */
function timeIn(id: string): number | null {
  return isId(id) && id[14] === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null
}

/** The smallest UUID of a time. */
function idAt(milliseconds: number): string {
  const digits = milliseconds.toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-0000-0000-000000000000`
}

// Nouns with events that only some callers see. The account is known by its id.
const personalNouns = (): string[] => allNouns().flatMap(({ name, isOwn }) => (isOwn && name !== 'credits' ? [name] : []))
