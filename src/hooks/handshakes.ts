// What senders ask to see whether anybody is there: answered once the sender has shown who it is, and made no event of.

import type { IncomingHttpHeaders } from 'node:http'
import type { Mapping } from '../gateway/mapping-settings.ts'

type Handshake = (
  mapping: Mapping,
  headers: IncomingHttpHeaders,
  payload: Readonly<Record<string, unknown>>,
) => Record<string, unknown> | null

// GitHub's first message to a new webhook. A mapping that asks for pings by name gets them.
const ping: Handshake = ({ id, auth, match }, headers) => {
  const isGitHub = auth?.hmac ? auth.hmac.scheme === 'github' : id === 'github'
  const isWanted = match.headers !== undefined && [match.headers['x-github-event']].flat().includes('ping')
  return isGitHub && !isWanted && headers['x-github-event'] === 'ping' ? { pong: true } : null
}

// Slack saves the address of an app's events only when it gets its challenge back.
const urlVerification: Handshake = ({ auth }, _headers, { type, challenge }) =>
  auth?.hmac?.scheme === 'slack' && type === 'url_verification' && typeof challenge === 'string' ? { challenge } : null

/** The answer to a handshake with one of the mappings; null for everything else. */
export function handshakeOf(
  mappings: Iterable<Mapping>,
  headers: IncomingHttpHeaders,
  payload: Readonly<Record<string, unknown>>,
): Record<string, unknown> | null {
  for (const mapping of mappings) {
    const answer = ping(mapping, headers, payload) ?? urlVerification(mapping, headers, payload)
    if (answer) return answer
  }
  return null
}
