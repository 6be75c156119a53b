// Microsoft Teams: activities of a bot. Recipients are conversation ids.

import type { ChannelSettings } from '../../config/gateway/shape.ts'
import { type Channel, DeliveryError } from './channel.ts'
import { exchange, failure, inPath, member, requireId, textAt } from './exchange.ts'

const scope = 'https://api.botframework.com/.default'
// A token is renewed this long before it expires, so that none expires on the way.
const marginMs = 60_000

export function msteams({ tenantId, appId, appPassword, serviceUrl, loginUrl }: NonNullable<ChannelSettings['msteams']>): Channel {
  let token: { value: string; until: number } | undefined

  const authorize = async (signal: AbortSignal): Promise<string> => {
    if (token && token.until > performance.now()) return token.value
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: appId, client_secret: appPassword, scope })
    const answer = await exchange({ url: `${loginUrl}/${inPath(tenantId)}/oauth2/v2.0/token`, body, signal }).catch((error: unknown) => {
      // The message itself was not sent, however the request for a token failed.
      throw error instanceof DeliveryError ? new DeliveryError('retry', error.message, { cause: error.cause }) : error
    })
    const value = textAt(answer.body, 'access_token')
    if (!answer.ok || value === '') throw failure(answer, `no token: ${textAt(answer.body, 'error')}`)
    const seconds = Number(member(answer.body, 'expires_in') ?? 300)
    token = { value, until: performance.now() + seconds * 1000 - marginMs }
    return value
  }

  return {
    // The limit is 28 kB with the JSON around the text.
    limit: 24_000,
    unit: 'bytes',
    deduplicates: false,
    async send({ to, text, signal }) {
      const bearer = await authorize(signal)
      const answer = await exchange({
        url: `${serviceUrl}/v3/conversations/${inPath(to)}/activities`,
        headers: { authorization: `Bearer ${bearer}` },
        // Not Markdown, the default: a reply could contain images that clients load, and links under other names.
        body: { type: 'message', text, textFormat: 'plain' },
        signal,
      })
      if (answer.ok) return requireId(textAt(answer.body, 'id'))
      if (answer.status === 401) {
        // The token was revoked before it expired. The next attempt of the delivery gets a new one.
        token = undefined
        throw new DeliveryError('retry', '401: the token was not accepted')
      }
      throw failure(answer, textAt(answer.body, 'error', 'message'))
    },
  }
}
