// Telegram: the Bot API's sendMessage. Recipients are chat ids or @names.

import type { ChannelSettings } from '../../config/gateway/shape.ts'
import type { Channel } from './channel.ts'
import { acknowledged, exchange, failure, member, textAt } from './exchange.ts'

export function telegram({ botToken, baseUrl }: NonNullable<ChannelSettings['telegram']>): Channel {
  return {
    limit: 4096,
    unit: 'utf16',
    deduplicates: false,
    async send({ to, text, signal }) {
      // No parse_mode: Telegram refuses messages with unbalanced markup.
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
