// Words about webhooks.

import type { WebhookDeliveryState, WebhookDisabledReason } from '../../../generated/schema.ts'
import { room } from '../../language.ts'

export const webhookWords = room('webhooks', {
  delivery: {
    WAITING: 'Waiting for earlier ones',
    PENDING: 'Waiting',
    SENDING: 'Sending',
    DELIVERED: 'Delivered',
    FAILED: 'Failed',
    CANCELED: 'Canceled',
  } satisfies Record<WebhookDeliveryState, string>,
  disabledReason: {
    BY_USER: 'somebody on the team disabled it',
    GONE: 'the receiver said that this address no longer exists (410)',
    FAILING: 'the receiver has accepted no delivery for five days',
    MAKER_LEFT: 'the person or API key behind it has no access any more, or the key waits for the payer to confirm it',
    ACCOUNT_RECOVERED: 'it was made before the email of its maker was verified',
  } satisfies Record<WebhookDisabledReason, string>,
})
