// Which events an endpoint receives: by type, by field, and only those committed after it was enabled.

import type { OutboxEvent } from '../../kernel/events/event.sql.ts'
import { shows, snapshotOf } from '../../kernel/events/position.ts'
import { wireName } from '../../kernel/input/case.ts'
import { isUpdate } from '../../kernel/nouns/events.ts'
import { isToldType } from '../../kernel/nouns/nouns.ts'
import { type Condition, type Endpoint, endpointEvents } from '../endpoints/endpoint.sql.ts'

type Matched = Pick<Endpoint, 'id' | 'eventTypes' | 'filter' | 'since'>

/** Whether the endpoint asks for the event. Its permission to read the event is checked elsewhere. */
export function asksFor({ id, eventTypes, filter, since }: Matched, event: OutboxEvent): boolean {
  if (!isToldType(event.type) || shows(snapshotOf(since), event.transactionId)) return false
  // A test is for one endpoint, whatever that receives otherwise.
  if (event.type === endpointEvents.tested) return event.entityId === id
  // Its own begins before it.
  if (event.type === endpointEvents.created && event.entityId === id) return false
  if (eventTypes.length > 0 && !eventTypes.includes(event.type)) return false
  return filter.length === 0 || filter.some(condition => holds(condition, event))
}

function holds({ field, values }: Condition, { type, changes }: OutboxEvent): boolean {
  const hasPairs = isUpdate(type)
  for (const [name, change] of Object.entries(changes)) {
    if (wireName(name) !== field) continue
    if (values === null) return true
    const value: unknown = hasPairs && Array.isArray(change) && change.length === 2 ? change[1] : change
    // A list, such as tags, matches by any of its members.
    const found = (Array.isArray(value) ? value : [value]).map(one => JSON.stringify(one))
    if (values.some(wanted => found.includes(JSON.stringify(wanted)))) return true
  }
  return false
}
