// Changes: what happens in the organization and the caller may read, as one stream that a client can resume.

import { type Context, organizationOf } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import type { OutboxEvent } from '../kernel/events/event.sql.ts'
import { mapped, type Signal } from '../kernel/events/follower.ts'
import { type EventType, updates } from '../kernel/events/names.ts'
import { decodePosition, encodePosition, type Position } from '../kernel/events/position.ts'
import { valueError } from '../kernel/input/problem.ts'
import { type Entity, entityNamed, readableSubjects, subjectNamed } from './entities.ts'

export interface Change {
  position: Position
  type: EventType | Signal
  /** Null for a signal. */
  event: OutboxEvent | null
}

export interface FieldChange {
  field: string
  before: unknown
  after: unknown
}

/**
 * Changes that are committed after the one with the id `after`, or from now on. A signal takes the place of changes that can no longer be
 * delivered. Ends when the request is aborted. Throws INVALID for an id that is none.
 */
export async function followChanges(
  context: Context,
  { after, types }: { after?: string | null; types?: readonly EventType[] | null },
): Promise<AsyncIterableIterator<Change>> {
  const from = after == null ? null : decodePosition(after)
  if (after != null && from === null) throw invalid(valueError('after', 'is not the id of a change', after))
  const wanted = { entities: readableSubjects(context), types: types ?? null }
  const items = await context.services.outbox.resume(organizationOf(context), from, wanted, context.signal)
  return mapped(items, async (item): Promise<Change[]> => {
    const { event, position } = item
    if (!event) return [{ position, type: item.signal, event }]
    const isOwn = subjectNamed(event.entity)?.isOwn
    return !isOwn || (await isOwn(context, event)) ? [{ position, type: event.type, event }] : []
  })
}

/** The change's id, for the argument `after`. */
export const idOf = ({ position }: Change): string => encodePosition(position)

// A delivery has no type of its own in the stream: its events are changes of its run.
function subjectOf({ entity, entityId, changes }: OutboxEvent): { entity: Entity | undefined; id: string } {
  return entity === 'delivery'
    ? { entity: entityNamed('agent_run'), id: String(changes.runId) }
    : { entity: entityNamed(entity), id: entityId }
}

/** The id of the entity that the change is about. Null for a signal. */
export const entityIdOf = ({ event }: Change): string | null => event && subjectOf(event).id

/** The entity as it is now, which may be newer than the change. Null for a signal, for events without an entity, and when it is gone. */
export async function entityOf(context: Context, { event }: Change): Promise<object | null> {
  if (!event) return null
  const { entity, id } = subjectOf(event)
  const row = await entity?.load(context, id)
  return entity && row ? { ...row, __typename: entity.typename } : null
}

/** The fields that an update changed. Empty for other events. */
export function fieldChangesOf(event: Pick<OutboxEvent, 'type' | 'changes'> | null): FieldChange[] {
  if (!event || !updates.has(event.type)) return []
  return Object.entries(event.changes).flatMap(([field, change]) => {
    if (!Array.isArray(change) || change.length !== 2) return []
    const [before, after] = change
    return [{ field, before, after }]
  })
}
