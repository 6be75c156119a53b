// Telegram: the Bot API's sendMessage. Recipients are chat ids or @names.

import type { Channel } from '../channels.ts'
import type { ChannelSettings } from '../settings-shape.ts'
import { acknowledged, exchange, failure, member, textAt } from './exchange.ts'

export function telegram({ botToken, baseUrl }: NonNullable<ChannelSettings['telegram']>): Channel {
  return {
    limit: 4096,
    unit: 'utf16',
    deduplicates: false,
    async send({ to, text, signal }) {
      // No parse_mode: what an agent writes is text, and a stray asterisk must not lose the message.
      const answer = await exchange({
        url: `${baseUrl}/bot${botToken}/sendMessage`,
        body: { chat_id: to, text, link_preview_options: { is_disabled: true } },
        signal,
      })
      if (answer.ok && member(answer.body, 'ok') === true) return acknowledged(textAt(answer.body, 'result', 'message_id'))
      const wait = member(answer.body, 'parameters', 'retry_after')
      throw failure(answer, textAt(answer.body, 'description'), typeof wait === 'number' ? { retryAfterSeconds: wait } : {})
    },
  }
}
