// Slack: chat.postMessage of a bot. Recipients are channel or user ids.

import { type Channel, DeliveryError } from '../channels.ts'
import type { ChannelSettings } from '../settings-shape.ts'
import { acknowledged, exchange, failure, member, textAt } from './exchange.ts'

// Errors come as 200 with a word; these pass.
const passing = new Set(['ratelimited', 'rate_limited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'])

export function slack({ botToken, baseUrl }: NonNullable<ChannelSettings['slack']>): Channel {
  return {
    // It takes 40,000, and cuts without a word what its clients fold away long before.
    limit: 4000,
    unit: 'characters',
    deduplicates: false,
    async send({ to, text, signal }) {
      const answer = await exchange({
        url: `${baseUrl}/api/chat.postMessage`,
        headers: { authorization: `Bearer ${botToken}`, 'content-type': 'application/json; charset=utf-8' },
        body: { channel: to, text: escaped(text), unfurl_links: false, unfurl_media: false },
        signal,
      })
      if (!answer.ok) throw failure(answer, textAt(answer.body, 'error'), { isChannelWide: answer.status === 429 })
      if (member(answer.body, 'ok') === true) return acknowledged(textAt(answer.body, 'ts'))
      const error = textAt(answer.body, 'error')
      throw new DeliveryError(passing.has(error) ? 'retry' : 'refused', error || 'Slack refused the message without a reason')
    },
  }
}

// What an agent writes is text: no <!channel> that calls everybody, no <address|label> that hides where it leads.
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
