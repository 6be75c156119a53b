// Verifies the identity provider's JWTs, and fetches the keys that they are signed with.

import { createRemoteJWKSet, customFetch, type FetchImplementation, jwtVerify } from 'jose'
import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { parseJson } from '../../kernel/input/json-text.ts'
import { isStorable } from '../../kernel/input/storable.ts'
import { boundedFetch } from '../../kernel/outgoing/fetch.ts'

/** The user that a token identifies. */
interface Identity {
  userId: string
  email: string | null
  /** Whether the provider has verified the address. */
  isVerified: boolean
  name: string | null
  /** The embedded provider's session for which the token was issued, and with which its validity ends; null with an external provider. */
  signInId: string | null
}

/** Verifies a token. Resolves with null for an invalid one. Throws UNAVAILABLE when the keys could not be fetched yet. */
export type VerifyIdentity = (token: string) => Promise<Identity | null>

// Only asymmetric algorithms. With `none` or HMAC, anyone who can read the public keys could sign.
const algorithms = ['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']
// The tolerated difference between the clocks of the two machines.
const leewaySeconds = 60
const keysFreshMs = 600_000
const timeoutMs = 5_000

// Refused, not repaired: two subjects could become one.
const shortText = z.string().max(320).refine(isStorable)
const claims = z.object({
  sub: shortText.min(1).max(255),
  email: shortText.nullish().catch(null),
  email_verified: z.boolean().catch(false),
  name: shortText.nullish().catch(null),
  sid: shortText.nullish().catch(null),
})

export interface Issuer {
  issuer: string
  audience: string
  jwksUrl: URL
  /** Whether tokens must have a `sid`, the id of the issuer's session. Default: `sid` is ignored. */
  namesSessions?: boolean
  /** Fetches the key set. Default: over HTTP. */
  fetchKeys?: FetchImplementation
}

export function createVerifier(
  { issuer, audience, jwksUrl, namesSessions = false, fetchKeys = boundedFetch }: Issuer,
  now: () => Date,
): VerifyIdentity {
  // Keys are selected by `kid` alone; `jku`, `jwk` and `x5u` in a token's header are ignored.
  const keys = createRemoteJWKSet(jwksUrl, {
    cacheMaxAge: keysFreshMs,
    timeoutDuration: timeoutMs,
    // `limited` limits how often an unknown `kid` makes jose fetch the keys, so that a rotated key is accepted at once.
    cooldownDuration: 0,
    [customFetch]: limitReads(fetchKeys),
  })
  return async token => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms,
        clockTolerance: leewaySeconds,
        currentDate: now(),
        requiredClaims: ['exp', 'sub'],
      })
      const { sub, email, email_verified: isVerified, name, sid } = claims.parse(payload)
      if (namesSessions && !sid) return null
      return { userId: sub, email: email || null, isVerified, name: name || null, signInId: (namesSessions && sid) || null }
    } catch (error) {
      if (error instanceof AppError) throw error
      // The answer does not say whether the token is forged, expired, for another audience, or signed by an unknown key.
      return null
    }
  }
}

const readsPerPeriod = 2
const periodMs = 30_000

/**
 * Fetches the keys at most twice in 30 s, because jose fetches them for each unknown `kid`, and anyone can invent one. In between, and
 * while the provider is unavailable, the last valid response is used.
 */
function limitReads(read: FetchImplementation): FetchImplementation {
  const reads: number[] = []
  let last: string | undefined
  return async (...request) => {
    const time = performance.now()
    if (last !== undefined && reads.length === readsPerPeriod && time - (reads[0] ?? 0) < periodMs) return new Response(last)
    reads.push(time)
    if (reads.length > readsPerPeriod) reads.shift()
    try {
      const response = await read(...request)
      const text = await response.text()
      if (response.status !== 200 || !Array.isArray((parseJson(text) as { keys?: unknown } | null)?.keys))
        throw new Error(`no key set, but status ${response.status}`)
      last = text
    } catch (error) {
      if (last === undefined)
        throw new AppError('UNAVAILABLE', "The identity provider's keys cannot be read", { cause: error, retryAfter: 5 })
    }
    return new Response(last)
  }
}
