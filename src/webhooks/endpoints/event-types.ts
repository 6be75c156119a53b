// The types of events that endpoints can receive: those of the stream `changes`.

import { allEvents, type DeclaredEvent, type EventType, entityOf, isDeclared } from '../../kernel/nouns/events.ts'

// Sign-ins are private to their user.
const privateEntities: ReadonlySet<string> = new Set(['session'])

export const webhookEventTypes = (): DeclaredEvent[] => allEvents().filter(({ entity }) => !privateEntities.has(entity))

export const isWebhookEventType = (text: string): text is EventType => isDeclared(text) && !privateEntities.has(entityOf(text))
