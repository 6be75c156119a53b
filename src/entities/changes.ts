// Changes: the organization's events that the caller may read, as one stream that a client can resume.

import type { RecordIds } from '../contacts/records/hanging/ref.ts'
import { type Context, organizationOf } from '../kernel/context.ts'
import type { OutboxEvent } from '../kernel/events/event.sql.ts'
import { asSubscription, positionIn, Unsent } from '../kernel/events/follow.ts'
import { mapItems, type Signal } from '../kernel/events/follower.ts'
import { encodePosition, type Position } from '../kernel/events/position.ts'
import type { EventType } from '../kernel/nouns/events.ts'
import { loadNoun, mayReadEvent, type Noun, nounNamed, readableNouns } from '../kernel/nouns/nouns.ts'

export interface Change extends RecordIds {
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
  const wanted = { entities: readableNouns(context), types: types ?? null }
  const items = await context.services.outbox.resume(organizationOf(context), from, wanted, context.signal)
  return asSubscription(
    mapItems(items, item => [
      new Unsent(async (now): Promise<Change[]> => {
        const { event, position } = item
        if (!event) return [{ position, type: item.signal, event, ...none }]
        const { type, contactId, companyId, dealId } = event
        return (await mayReadEvent(now, event)) ? [{ position, type, event, contactId, companyId, dealId }] : []
      }),
    ]),
  )
}

const none: RecordIds = { contactId: null, companyId: null, dealId: null }

/** The change's id, for the argument `after`. */
export const idOf = ({ position }: Change): string => encodePosition(position)

// The noun that the stream names, and its id.
function subjectOf(event: OutboxEvent): { noun: Noun | undefined; id: string } {
  const noun = nounNamed(event.entity)
  const { noun: name, id } = noun?.standsFor?.(event) ?? { noun: event.entity, id: event.entityId }
  return { noun: nounNamed(name), id }
}

/** The id of the changed entity. Null for a signal. */
export const entityIdOf = ({ event }: Change): string | null => event && subjectOf(event).id

/**
 * The current state of the entity, which may be newer than the change. Null for a signal, for events without an entity, and when the entity
 * is deleted permanently.
 */
export async function entityOf(context: Context, { event }: Change): Promise<object | null> {
  if (!event) return null
  const { noun, id } = subjectOf(event)
  return noun ? loadNoun(context, noun, id) : null
}
