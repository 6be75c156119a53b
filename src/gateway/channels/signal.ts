// Signal, through the operator's signal-cli-rest-api server. Recipients are phone numbers or group ids.

import type { ChannelSettings } from '../../config/gateway/shape.ts'
import type { Channel } from './channel.ts'
import { exchange, failure, requireId, textAt } from './exchange.ts'

export function signal({ number, baseUrl, token }: NonNullable<ChannelSettings['signal']>): Channel {
  return {
    // Longer texts become attachments.
    limit: 2000,
    unit: 'characters',
    deduplicates: false,
    async send({ to, text, signal }) {
      const answer = await exchange({
        url: `${baseUrl}/v2/send`,
        // The server itself needs no token; a proxy in front of it may.
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        // No `link_preview`: in Signal the sender makes the preview, so receivers fetch nothing.
        body: { message: text, number, recipients: [to] },
        signal,
      })
      if (answer.ok) return requireId(textAt(answer.body, 'timestamp'))
      // The limit applies to the whole account, and ends after minutes or with a captcha.
      throw failure(answer, textAt(answer.body, 'error'), answer.status === 429 ? { retryAfterSeconds: 300, isChannelWide: true } : {})
    },
  }
}
