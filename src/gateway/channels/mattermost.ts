// Mattermost: posts of a bot. Recipients are channel ids.

import type { ChannelSettings } from '../../config/gateway/shape.ts'
import type { Channel } from './channel.ts'
import { exchange, failure, requireId, textAt } from './exchange.ts'

export function mattermost({ token, baseUrl }: NonNullable<ChannelSettings['mattermost']>): Channel {
  return {
    limit: 16_383,
    unit: 'characters',
    // The server remembers pending ids for 30 seconds: too short after a crash, enough for a quick repeat.
    deduplicates: false,
    async send({ to, text, deliveryId, signal }) {
      const answer = await exchange({
        url: `${baseUrl}/api/v4/posts`,
        headers: { authorization: `Bearer ${token}` },
        // `unsafe_links`: its server neither fetches previews of links nor has clients load images.
        body: { channel_id: to, message: text, pending_post_id: deliveryId, props: { unsafe_links: 'true' } },
        signal,
      })
      if (answer.ok) return requireId(textAt(answer.body, 'id'))
      const reset = Number(answer.headers.get('x-ratelimit-reset') ?? Number.NaN)
      throw failure(answer, textAt(answer.body, 'message'), {
        ...(answer.status === 429 && Number.isFinite(reset) && { retryAfterSeconds: reset }),
        isChannelWide: answer.status === 429,
      })
    },
  }
}
