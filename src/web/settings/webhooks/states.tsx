// The states of endpoints and deliveries in words.

import type { WebhookEndpointRowFragment } from '../../generated/operations.ts'
import type { WebhookDeliveryState, WebhookDisabledReason } from '../../generated/schema.ts'
import { Status, type Tone, words } from '../../pieces/status.tsx'

const reasons = {
  BY_USER: 'somebody has disabled it',
  GONE: 'it answered 410, which says that it is gone',
  FAILING: 'it has accepted no delivery for five days',
  MAKER_LEFT: 'the membership or the API key that it reads with has ended, or the key waits for the payer to confirm it',
  ACCOUNT_RECOVERED: 'it was made before the address of its owner was verified',
} satisfies Record<WebhookDisabledReason, string>

export const reasonOf = ({ disabledReason }: WebhookEndpointRowFragment) => disabledReason && reasons[disabledReason]

export function EndpointState({ endpoint: { state, failingSince } }: { endpoint: WebhookEndpointRowFragment }) {
  if (state === 'DISABLED') return <Status tone="quiet" label="Disabled" />
  return failingSince ? <Status tone="failing" label="Failing" /> : <Status tone="good" label="Enabled" />
}

const tones = {
  WAITING: 'waiting',
  PENDING: 'waiting',
  SENDING: 'information',
  DELIVERED: 'good',
  FAILED: 'failing',
  CANCELED: 'quiet',
} satisfies Record<WebhookDeliveryState, Tone>

export const DeliveryState = ({ state }: { state: WebhookDeliveryState }) => <Status tone={tones[state]} label={words(state)} />

/** Whether a delivery can be replayed. Waiting deliveries are sent without a replay. */
export const isOver = (state: WebhookDeliveryState) => state === 'DELIVERED' || state === 'FAILED' || state === 'CANCELED'

/** A reason of the API as a sentence. */
export const sentence = (reason: string) => reason.charAt(0).toUpperCase() + reason.slice(1)
