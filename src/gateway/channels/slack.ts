// Slack: chat.postMessage of a bot. Recipients are channel or user ids.

import type { ChannelSettings } from '../../config/gateway/shape.ts'
import { type Channel, DeliveryError } from './channel.ts'
import { exchange, failure, member, requireId, textAt } from './exchange.ts'
import { type Markup, markUp } from './markup.ts'

// Errors come with status 200 and a code. These are temporary.
const passing = new Set(['ratelimited', 'rate_limited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'])

export function slack({ botToken, baseUrl }: NonNullable<ChannelSettings['slack']>): Channel {
  return {
    // Slack takes 40,000 characters and truncates longer texts silently, but its clients collapse texts long before.
    limit: 4000,
    unit: 'characters',
    deduplicates: false,
    async send({ to, text, signal }) {
      const answer = await exchange({
        url: `${baseUrl}/api/chat.postMessage`,
        headers: { authorization: `Bearer ${botToken}`, 'content-type': 'application/json; charset=utf-8' },
        body: { channel: to, text: markUp(text, mrkdwn), unfurl_links: false, unfurl_media: false },
        signal,
      })
      if (!answer.ok) throw failure(answer, textAt(answer.body, 'error'), { isChannelWide: answer.status === 429 })
      if (member(answer.body, 'ok') === true) return requireId(textAt(answer.body, 'ts'))
      const error = textAt(answer.body, 'error')
      throw new DeliveryError(passing.has(error) ? 'retry' : 'refused', error || 'Slack refused the message without a reason')
    },
  }
}

// Escapes Slack's markup: no <!channel> that notifies everybody.
const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const escapeAddress = (address: string) => escapeText(address).replaceAll('|', '%7C')

const mrkdwn: Markup = {
  // Slack reads no mark next to a letter, which Chinese and Japanese have on both sides.
  ...{ bold: '*', italic: '_', strike: '~', bullet: '•', joiner: '\u200b' },
  link(label, address) {
    if (label === '' || label === address) return `<${escapeAddress(address)}>`
    // A label that looks like an address could hide another one, so both are shown.
    return /^[^\s.:/]*[.:/]\S*$/.test(label)
      ? `${escapeText(label)} (<${escapeAddress(address)}>)`
      : `<${escapeAddress(address)}|${escapeText(label)}>`
  },
  escape: escapeText,
}
