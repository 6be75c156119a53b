// Signal, through a signal-cli-rest-api server of one's own. Recipients are phone numbers or group ids.

import type { Channel } from '../channels.ts'
import type { ChannelSettings } from '../settings-shape.ts'
import { acknowledged, exchange, failure, textAt } from './exchange.ts'

export function signal({ number, baseUrl, token }: NonNullable<ChannelSettings['signal']>): Channel {
  return {
    // Longer texts become attachments.
    limit: 2000,
    unit: 'characters',
    deduplicates: false,
    async send({ to, text, signal }) {
      const answer = await exchange({
        url: `${baseUrl}/v2/send`,
        // The server itself asks for nothing; a proxy in front of it may.
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        // Without `link_preview` there is none: its clients make previews when they send, not when they receive.
        body: { message: text, number, recipients: [to] },
        signal,
      })
      if (answer.ok) return acknowledged(textAt(answer.body, 'timestamp'))
      // The limit is the account's, and ends in minutes or by a captcha.
      throw failure(answer, textAt(answer.body, 'error'), answer.status === 429 ? { retryAfterSeconds: 300, isChannelWide: true } : {})
    },
  }
}
