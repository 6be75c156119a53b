// Discord: messages of a bot. Recipients are channel ids.

import type { ChannelSettings } from '../../config/gateway/shape.ts'
import { release } from '../../config/release.ts'
import type { Channel } from './channel.ts'
import { exchange, failure, inPath, member, requireId, textAt } from './exchange.ts'

// Without this flag Discord's servers fetch the links of a message for previews.
const suppressEmbeds = 1 << 2

export function discord({ botToken, baseUrl }: NonNullable<ChannelSettings['discord']>, publicUrl: string): Channel {
  // The form that Discord's documentation demands.
  const userAgent = `DiscordBot (${publicUrl}, ${release})`
  return {
    limit: 2000,
    unit: 'characters',
    deduplicates: true,
    async send({ to, text, deliveryId, signal }) {
      const answer = await exchange({
        url: `${baseUrl}/api/v10/channels/${inPath(to)}/messages`,
        headers: { authorization: `Bot ${botToken}`, 'user-agent': userAgent },
        body: {
          content: text,
          // At most 25 characters: the end of a UUIDv7 is its random part. Discord recognizes repeats for some minutes.
          nonce: deliveryId.replaceAll('-', '').slice(-25),
          enforce_nonce: true,
          // No mentions: the text of an agent must not notify a whole server.
          allowed_mentions: { parse: [] },
          flags: suppressEmbeds,
        },
        signal,
      })
      if (answer.ok) return requireId(textAt(answer.body, 'id'))
      const wait = member(answer.body, 'retry_after')
      throw failure(answer, textAt(answer.body, 'message'), {
        ...(typeof wait === 'number' && { retryAfterSeconds: wait }),
        isChannelWide: member(answer.body, 'global') === true,
      })
    },
  }
}
