// The body of a delivery, and the headers that sign it, as Standard Webhooks has them.

import { Webhook } from 'standardwebhooks'
import type { Context } from '../../kernel/context.ts'
import { wireName } from '../../kernel/input/case.ts'
import { isUpdate } from '../../kernel/nouns/events.ts'
import type { Delivery } from '../deliveries/delivery.sql.ts'
import type { Endpoint } from '../endpoints/endpoint.sql.ts'

/** An object as REST shows it now; null for one that is gone, or that has no representation of its own. REST is put together later. */
export type ObjectOf = (context: Context, entity: string, id: string) => Promise<unknown>

/** The body that all attempts of the delivery send. */
export async function bodyOf(objectOf: ObjectOf, context: Context, { payload }: Endpoint, delivery: Delivery): Promise<string> {
  const { type, entity, entityId, event } = delivery
  const { contactId, companyId = null, dealId = null, actor, changes, createdAt } = event
  const details = payload === 'full' && {
    entity,
    ...{ contact_id: contactId, company_id: companyId, deal_id: dealId },
    actor: { type: actor.type, id: actor.id, name: actor.name },
    changes: isUpdate(type) ? Object.fromEntries(Object.entries(changes).flatMap(fieldChange)) : {},
    object: await objectOf(context, entity, entityId),
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
