// The states of endpoints and deliveries in words.

import type { WebhookEndpointRowFragment } from '../../generated/operations.ts'
import type { WebhookDeliveryState } from '../../generated/schema.ts'
import { endpointWords } from '../../language/en/settings/endpoints.ts'
import { webhookWords } from '../../language/en/settings/webhooks.ts'
import { Status, type Tone } from '../../pieces/status.tsx'

export const reasonOf = ({ disabledReason }: WebhookEndpointRowFragment) => disabledReason && webhookWords.disabledReason[disabledReason]

export function EndpointState({ endpoint: { state, failingSince } }: { endpoint: WebhookEndpointRowFragment }) {
  if (state === 'DISABLED') return <Status tone="quiet" label={endpointWords.disabled} />
  return failingSince ? <Status tone="failing" label={endpointWords.failing} /> : <Status tone="good" label={endpointWords.enabled} />
}

const tones = {
  WAITING: 'waiting',
  PENDING: 'waiting',
  SENDING: 'information',
  DELIVERED: 'good',
  FAILED: 'failing',
  CANCELED: 'quiet',
} satisfies Record<WebhookDeliveryState, Tone>

export const DeliveryState = ({ state }: { state: WebhookDeliveryState }) => (
  <Status tone={tones[state]} label={webhookWords.delivery[state]} />
)

/** Whether a delivery can be replayed. Waiting deliveries are sent without a replay. */
export const isOver = (state: WebhookDeliveryState) => state === 'DELIVERED' || state === 'FAILED' || state === 'CANCELED'
