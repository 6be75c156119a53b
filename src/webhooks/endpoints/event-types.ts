// The types of events that endpoints can receive: those of the stream `changes`.

import { type EventType, eventTypes } from '../../kernel/events/names.ts'

export interface WebhookEventType {
  type: EventType
  /** What the event is about. */
  entity: string
  description: string
}

// Sign-ins are private to their user.
const privateEntities: ReadonlySet<string> = new Set(['session'])

const entityOfType = (type: string): string => type.slice(0, type.indexOf('.'))

export const webhookEventTypes: readonly WebhookEventType[] = Object.entries(eventTypes)
  .map(([type, description]) => ({ type: type as EventType, entity: entityOfType(type), description }))
  .filter(({ entity }) => !privateEntities.has(entity))
  .toSorted((one, other) => (one.type < other.type ? -1 : 1))

const names: ReadonlySet<string> = new Set(webhookEventTypes.map(({ type }) => type))

export const isWebhookEventType = (text: string): text is EventType => names.has(text)
