// iMessage, through a BlueBubbles server on a Mac. Recipients are addresses, or chat guids such as `iMessage;-;+15550001111`.

import type { ChannelSettings } from '../../config/gateway/shape.ts'
import type { Channel } from './channel.ts'
import { exchange, failure, requireId, textAt } from './exchange.ts'

export function imessage({ password, baseUrl, method }: NonNullable<ChannelSettings['imessage']>): Channel {
  return {
    limit: 20_000,
    unit: 'characters',
    // The server recognizes repeats by tempGuid.
    deduplicates: true,
    async send({ to, text, deliveryId, signal }) {
      const answer = await exchange({
        // The server takes the password in the query only, so the address must not be logged.
        url: `${baseUrl}/api/v1/message/text?${new URLSearchParams({ guid: password })}`,
        body: { chatGuid: to.includes(';') ? to : `iMessage;-;${to}`, tempGuid: deliveryId, message: text, method, ddScan: false },
        signal,
      })
      if (answer.ok) return requireId(textAt(answer.body, 'data', 'guid'))
      throw failure(answer, textAt(answer.body, 'error', 'message') || textAt(answer.body, 'message'))
    },
  }
}
