// Zod schemas of webhook endpoints and of the log.

import { z } from 'zod'
import type { WebhookDeliveryState, WebhookPayload } from '../../../generated/operations.ts'
import { anyOf, enumOf, filterId, filterText, oneText, text, time } from '../inputs.ts'

const condition = z
  .strictObject({
    field: text(127).meta({ description: 'A field as `changes` of the payload spells it: `lifecycle_stage`, `custom.plan`.' }),
    values: z.array(z.unknown()).nullish().meta({ description: 'The values that it may have changed to. Unless given, any.' }),
  })
  .meta({ id: 'NewWebhookCondition' })

const endpointFields = {
  description: text(500).nullish(),
  event_types: z
    .array(text(100))
    .nullish()
    .meta({ description: 'Names of types of events, which `GET /api/webhooks/v1/event-types` lists. Unless given, all.' }),
  filter: z.array(condition).nullish().meta({ description: 'Only events for which one of these holds, at most 20. Unless given, all.' }),
  payload: enumOf<WebhookPayload>('WebhookPayload')
    .nullish()
    .meta({ description: 'Thin ones have the type and the id alone. Unless given, full.' }),
  is_enabled: z.boolean().optional().meta({ description: 'Whether anything is sent. Unless given, it is.' }),
}
export const newEndpoint = z.strictObject({ url: text(2048), ...endpointFields }).meta({ id: 'NewWebhookEndpoint' })
export const endpointChange = z.strictObject({ url: text(2048).optional(), ...endpointFields }).meta({ id: 'WebhookEndpointChange' })

export const rotation = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(604_800)
      .optional()
      .meta({ description: 'How long the secret before signs as well; 0 ends it at once.', unlessGiven: 86_400 }),
  })
  .meta({ id: 'WebhookSecretRotation' })

const deliveryState = enumOf<WebhookDeliveryState>('WebhookDeliveryState')
export const deliveryFilter = {
  endpoint_id: filterId,
  state: anyOf(deliveryState),
  type: anyOf(oneText(100)),
  message_id: filterId,
  entity_id: filterText(255),
  created_since: time.optional(),
  created_until: time.optional(),
}
export const replayRange = z
  .strictObject({
    since: time.meta({ description: 'Those queued then or later.' }),
    until: time.optional().meta({ description: 'Those queued before. Unless given, until now.' }),
    state_in: z
      .array(deliveryState)
      .optional()
      .meta({ description: 'Of `delivered`, `failed` and `canceled`. Unless given, the last two.' }),
    limit: z.int().min(1).max(10_000).optional().meta({ description: 'The first so many.', unlessGiven: 1000 }),
  })
  .meta({ id: 'WebhookReplayRange' })
