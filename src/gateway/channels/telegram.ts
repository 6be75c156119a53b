// Telegram: the Bot API's sendMessage. Recipients are chat ids or @names, with `:<id>` or `:topic:<id>` for a topic of a group.

import type { ChannelSettings } from '../../config/gateway/shape.ts'
import { type Channel, DeliveryError } from './channel.ts'
import { exchange, failure, member, requireId, textAt } from './exchange.ts'

export function telegram({ botToken, baseUrl }: NonNullable<ChannelSettings['telegram']>): Channel {
  return {
    limit: 4096,
    unit: 'utf16',
    deduplicates: false,
    async send({ to, text, signal }) {
      // No parse_mode: Telegram refuses messages with unbalanced markup.
      const [, chat = to, topic] = /^([^:]{1,64}):(?:topic:)?(\d{1,15})$/.exec(to) ?? []
      const answer = await exchange({
        url: `${baseUrl}/bot${botToken}/sendMessage`,
        body: {
          chat_id: chat,
          // The General topic has the id 1, with which Telegram refuses messages.
          ...(topic !== undefined && Number(topic) > 1 && { message_thread_id: Number(topic) }),
          text,
          link_preview_options: { is_disabled: true },
        },
        signal,
      })
      if (answer.ok && member(answer.body, 'ok') === true) return requireId(textAt(answer.body, 'result', 'message_id'))
      // A group that became a supergroup has another id.
      const moved = textAt(answer.body, 'parameters', 'migrate_to_chat_id')
      if (/^-?\d{1,20}$/.test(moved) && moved !== chat) {
        const movedTo = topic === undefined ? moved : `${moved}:${topic}`
        throw new DeliveryError('retry', `the group has the id ${moved} now`, { movedTo })
      }
      const wait = member(answer.body, 'parameters', 'retry_after')
      throw failure(answer, textAt(answer.body, 'description'), typeof wait === 'number' ? { retryAfterSeconds: wait } : {})
    },
  }
}
