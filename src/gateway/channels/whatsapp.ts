// WhatsApp: the Cloud API. Recipients are phone numbers.

import type { ChannelSettings } from '../../config/gateway/shape.ts'
import { type Channel, DeliveryError } from './channel.ts'
import { exchange, failure, inPath, member, requireId, retryAfter, textAt } from './exchange.ts'
import { type Markup, markUp } from './markup.ts'

// The codes of the platform decide, not the HTTP status.
const waits: Record<number, { seconds: number; isChannelWide: boolean }> = {
  4: { seconds: 60, isChannelWide: true },
  80007: { seconds: 60, isChannelWide: true },
  130429: { seconds: 5, isChannelWide: true },
  131048: { seconds: 300, isChannelWide: true },
  131056: { seconds: 6, isChannelWide: false },
  131000: { seconds: 5, isChannelWide: false },
  131016: { seconds: 30, isChannelWide: true },
}
const outsideWindow = 131047

const markup: Markup = {
  ...{ bold: '*', italic: '_', strike: '~', bullet: '-', joiner: '' },
  link: (label, address) => (label === '' || label === address ? address : `${label} (${address})`),
  escape: text => text,
}

export function whatsapp({ accessToken, phoneNumberId, apiVersion, baseUrl }: NonNullable<ChannelSettings['whatsapp']>): Channel {
  return {
    limit: 4096,
    unit: 'characters',
    deduplicates: false,
    async send({ to, text, signal }) {
      const answer = await exchange({
        url: `${baseUrl}/${apiVersion}/${inPath(phoneNumberId)}/messages`,
        headers: { authorization: `Bearer ${accessToken}` },
        body: {
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to: to.replace(/^\+/, ''),
          type: 'text',
          text: { body: markUp(text, markup), preview_url: false },
        },
        signal,
      })
      const { body, headers } = answer
      if (answer.ok && member(body, 'error') === undefined) return requireId(textAt(body, 'messages', 0, 'id'))
      const code = Number(member(body, 'error', 'code'))
      const reason = textAt(body, 'error', 'message')
      const wait = waits[code]
      if (wait) {
        const options = { retryAfterSeconds: retryAfter(headers) ?? wait.seconds, isChannelWide: wait.isChannelWide }
        throw new DeliveryError('retry', `${code}: ${reason}`, options)
      }
      if (code === outsideWindow)
        throw new DeliveryError('refused', `${code}: the recipient has not written within 24 hours, so only a template may be sent`)
      throw failure(answer, code ? `${code} ${reason}` : reason)
    },
  }
}
