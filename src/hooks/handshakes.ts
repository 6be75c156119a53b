// Requests with which senders verify a webhook's address. After authentication they are answered and create no event.

import type { IncomingHttpHeaders } from 'node:http'
import type { Mapping } from '../config/gateway/mappings.ts'
import { valueAt } from '../kernel/input/templates.ts'
import type { Payload } from './body.ts'

type Handshake = (mapping: Mapping, headers: IncomingHttpHeaders, payload: Payload) => Record<string, unknown> | null

// GitHub sends a ping first to a new webhook. A mapping that selects pings still receives it.
const ping: Handshake = ({ id, auth, match }, headers) => {
  const isGitHub = auth?.hmac ? auth.hmac.scheme === 'github' : id === 'github'
  const isWanted = match.headers !== undefined && [match.headers['x-github-event']].flat().includes('ping')
  return isGitHub && !isWanted && headers['x-github-event'] === 'ping' ? { pong: true } : null
}

// Slack accepts the address of an app's events only if the response repeats the challenge.
const urlVerification: Handshake = ({ auth }, _headers, payload) => {
  const challenge = valueAt(payload, ['challenge'])
  const isAsked = auth?.hmac?.scheme === 'slack' && valueAt(payload, ['type']) === 'url_verification'
  return isAsked && typeof challenge === 'string' ? { challenge } : null
}

/** The response to a handshake with one of the mappings; null for every other request. */
export function handshakeOf(mappings: Iterable<Mapping>, headers: IncomingHttpHeaders, payload: Payload): Record<string, unknown> | null {
  for (const mapping of mappings) {
    const answer = ping(mapping, headers, payload) ?? urlVerification(mapping, headers, payload)
    if (answer) return answer
  }
  return null
}
