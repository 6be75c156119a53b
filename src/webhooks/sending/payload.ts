// The body of a delivery, and the headers that sign it, as Standard Webhooks has them.

import { Webhook } from 'standardwebhooks'
import type { Context } from '../../kernel/context.ts'
import { isUpdate } from '../../kernel/nouns/events.ts'
import type { Delivery } from '../deliveries/delivery.sql.ts'
import type { Endpoint } from '../endpoints/endpoint.sql.ts'
import { wireName } from '../outbox/match.ts'
import type { WebhookPorts } from '../ports.ts'

/** The body that all attempts of the delivery send. */
export async function bodyOf(ports: WebhookPorts, context: Context, { payload }: Endpoint, delivery: Delivery): Promise<string> {
  const { type, entity, entityId, event } = delivery
  const { contactId, actor, changes, createdAt } = event
  const details = payload === 'full' && {
    entity,
    contact_id: contactId,
    actor: { type: actor.type, id: actor.id, name: actor.name },
    changes: isUpdate(type) ? Object.fromEntries(Object.entries(changes).flatMap(fieldChange)) : {},
    object: await ports.objectOf(context, entity, entityId),
  }
  return JSON.stringify({ type, timestamp: createdAt, data: { id: entityId, ...details } })
}

const fieldChange = ([field, change]: [string, unknown]): [string, unknown][] =>
  Array.isArray(change) && change.length === 2 ? [[wireName(field), change]] : []

/** The headers of an attempt. During a rotation there is one signature for each live secret. */
export function signedHeaders(secrets: readonly string[], messageId: string, body: string, now: Date): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map(secret => new Webhook(secret).sign(messageId, now, body)).join(' '),
  }
}
