// Signs forwarded deliveries, as Standard Webhooks defines it.

import { Webhook } from 'standardwebhooks'
import { CommandError, exitStatus } from '../../terminal.ts'

/** The headers of a message, by its id and body. Throws CommandError for a secret that is none. */
export function signer(secret: string): (id: string, body: string) => Record<string, string> {
  if (!/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret))
    throw new CommandError('The secret must be whsec_ and 24 bytes or more in base64', exitStatus.usage)
  const webhook = new Webhook(secret)
  return (id, body) => {
    const now = new Date()
    return {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': webhook.sign(id, now, body),
    }
  }
}
