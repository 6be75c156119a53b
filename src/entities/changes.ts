// Changes: the organization's events that the caller may read, as one stream that a client can resume.

import { type Context, organizationOf } from '../kernel/context.ts'
import type { OutboxEvent } from '../kernel/events/event.sql.ts'
import { positionIn, subscribed, Unsent } from '../kernel/events/follow.ts'
import { mapped, type Signal } from '../kernel/events/follower.ts'
import { encodePosition, type Position } from '../kernel/events/position.ts'
import type { EventType } from '../kernel/nouns/events.ts'
import { type Entity, entityNamed, readableSubjects, subjectNamed } from './entities.ts'

export interface Change {
  position: Position
  type: EventType | Signal
  /** Null for a signal. */
  event: OutboxEvent | null
}

/**
 * The changes committed after the one with the id `after`, or from now on. A signal replaces changes that can no longer be delivered. Ends
 * when the request is aborted. Throws INVALID for a malformed id.
 */
export async function followChanges(
  context: Context,
  { after, types }: { after?: string | null; types?: readonly EventType[] | null },
): Promise<AsyncIterableIterator<Change>> {
  const from = positionIn(after)
  const wanted = { entities: readableSubjects(context), types: types ?? null }
  const items = await context.services.outbox.resume(organizationOf(context), from, wanted, context.signal)
  return subscribed(
    mapped(items, item => [
      new Unsent(async (now): Promise<Change[]> => {
        const { event, position } = item
        if (!event) return [{ position, type: item.signal, event }]
        return (await mayReadEvent(now, event)) ? [{ position, type: event.type, event }] : []
      }),
    ]),
  )
}

type Subjected = Pick<OutboxEvent, 'entity' | 'entityId' | 'changes'>

async function isOwnEvent(context: Context, event: Subjected): Promise<boolean> {
  const isOwn = subjectNamed(event.entity)?.isOwn
  return !isOwn || isOwn(context, event)
}

/** Whether the caller would be told of the event by the stream. */
export const mayReadEvent = async (context: Context, event: Subjected): Promise<boolean> =>
  subjectNamed(event.entity)?.mayRead(context) === true && (await isOwnEvent(context, event))

/** The change's id, for the argument `after`. */
export const idOf = ({ position }: Change): string => encodePosition(position)

// A delivery has no type in the stream: its events are changes of its run.
function subjectOf({ entity, entityId, changes }: OutboxEvent): { entity: Entity | undefined; id: string } {
  return entity === 'delivery'
    ? { entity: entityNamed('agent_run'), id: String(changes.runId) }
    : { entity: entityNamed(entity), id: entityId }
}

/** The id of the changed entity. Null for a signal. */
export const entityIdOf = ({ event }: Change): string | null => event && subjectOf(event).id

/**
 * The current state of the entity, which may be newer than the change. Null for a signal, for events without an entity, and when the entity
 * is deleted permanently.
 */
export async function entityOf(context: Context, { event }: Change): Promise<object | null> {
  if (!event) return null
  const { entity, id } = subjectOf(event)
  const row = await entity?.load(context, id)
  return entity && row ? { ...row, __typename: entity.typename } : null
}
