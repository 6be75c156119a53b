// Discord: messages of a bot. Recipients are channel ids.

import { release } from '../../release.ts'
import type { Channel } from '../channels.ts'
import type { ChannelSettings } from '../settings-shape.ts'
import { acknowledged, exchange, failure, member, textAt } from './exchange.ts'

// Discord's servers would fetch what stands behind a link, to show a preview of it.
const suppressEmbeds = 1 << 2

export function discord({ botToken, baseUrl }: NonNullable<ChannelSettings['discord']>, publicUrl: string): Channel {
  // Discord asks for this form, and blocks others.
  const userAgent = `DiscordBot (${publicUrl}, ${release})`
  return {
    limit: 2000,
    unit: 'characters',
    deduplicates: true,
    async send({ to, text, deliveryId, signal }) {
      const answer = await exchange({
        url: `${baseUrl}/api/v10/channels/${encodeURIComponent(to)}/messages`,
        headers: { authorization: `Bot ${botToken}`, 'user-agent': userAgent },
        body: {
          content: text,
          // 25 characters at most; the end of a UUIDv7 is its random part. Repeats within minutes are the same message.
          nonce: deliveryId.replaceAll('-', '').slice(-25),
          enforce_nonce: true,
          // What an agent writes must not call a whole server.
          allowed_mentions: { parse: [] },
          flags: suppressEmbeds,
        },
        signal,
      })
      if (answer.ok) return acknowledged(textAt(answer.body, 'id'))
      const wait = member(answer.body, 'retry_after')
      throw failure(answer, textAt(answer.body, 'message'), {
        ...(typeof wait === 'number' && { retryAfterSeconds: wait }),
        isChannelWide: member(answer.body, 'global') === true,
      })
    },
  }
}
