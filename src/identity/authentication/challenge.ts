// Messages of 401 responses: which header to send, with which kind of credential, and where to get it.

import type { Config } from '../../config/environment.ts'
import { resourceMetadataOf } from '../oauth/address.ts'

const forms: Readonly<Record<string, string>> = {
  api_key: 'Authorization: Bearer <API key>',
  session: 'Authorization: Bearer <session token from POST /api/auth/session>',
  access_token: 'Authorization: Bearer <OAuth access token>',
  identity: 'Authorization: Bearer <JWT from the identity provider, such as GET /idp/token>',
  services_token: 'X-Svc-Services-Token: <service token>',
  service_token: 'X-Svc-Service-Token: <service token>',
}

/** A sentence that names the headers of the accepted credentials. X-User-ID (development) and X-Guest-ID (demo) are left out. */
export function whatToSend(accepts: readonly string[]): string {
  if (accepts.includes('api_key') && accepts.includes('session'))
    return 'Send the header Authorization: Bearer <API key, or session token from POST /api/auth/session>'
  return `Send the header ${accepts.flatMap(kind => forms[kind] ?? []).join(', or ')}`
}

/** The WWW-Authenticate header of /mcp: where a client learns how to log a person in (RFC 9728, 5.1), and why a token is refused. */
export const bearerChallenge = (config: Config, { wasSent }: { wasSent: boolean }): string =>
  `Bearer ${wasSent ? 'error="invalid_token", ' : ''}resource_metadata="${resourceMetadataOf(config)}"`

/** Why a bearer token is refused whose format belongs to none of the accepted kinds. Does not reveal whether the token exists. */
export function explainMisplaced(header: string, token: string, accepts: readonly string[]): string {
  return `${whatItIs(header, token)}. ${whatToSend(accepts)}`
}

function whatItIs(header: string, token: string): string {
  if (token === '')
    return header.includes(' ')
      ? 'The Authorization header is not of the form Bearer <token>'
      : 'The Authorization header lacks the word Bearer'
  if (/^rcm_[0-9A-Za-z]{38}$/.test(token)) return 'An API key does not count here, or was copied with a mistake'
  if (token.startsWith('rca_')) return 'An OAuth access token opens /mcp alone, or was copied with a mistake'
  if (token.startsWith('rcm_')) return 'This API key is not whole: one is rcm_ and 38 letters and digits'
  if (token.split('.').length === 3) return "The identity provider's JWT opens a session at POST /api/auth/session, and counts nowhere else"
  if (/^[0-9a-f-]{36}$/.test(token)) return 'A session token does not count here'
  return 'The Authorization header holds no credential that is valid here'
}
