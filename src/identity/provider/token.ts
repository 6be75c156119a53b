// The identity provider's JWTs: which are believed, and where the keys that sign them come from.

import { createRemoteJWKSet, customFetch, type FetchImplementation, jwtVerify } from 'jose'
import { z } from 'zod'
import { AppError } from '../errors.ts'
import { userAgent } from '../user-agent.ts'

/** Whom a token vouches for. */
export interface Identity {
  userId: string
  email: string | null
  name: string | null
  /** The embedded provider's session that the token comes from, and ends with; null for tokens of an outside provider. */
  signInId: string | null
}

/** Null for a token that is not believed. Throws UNAVAILABLE when no key was ever read and none can be read now. */
export type VerifyIdentity = (token: string) => Promise<Identity | null>

// Signatures by private keys only. `none` and HMAC are absent: with those anyone who can read the public keys can sign.
const algorithms = ['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']
// Two machines' clocks may differ by this much.
const leewaySeconds = 60
const keysFreshMs = 600_000
const timeoutMs = 5_000

const words = z
  .string()
  .max(320)
  .regex(/^[^\0]*$/)
const claims = z.object({
  sub: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^\0]*$/),
  email: words.nullish().catch(null),
  name: words.nullish().catch(null),
  sid: words.nullish().catch(null),
})

export interface Issuer {
  issuer: string
  audience: string
  jwksUrl: URL
  /** Its tokens must say by `sid` which of its sessions they come from. Default: that says nothing to us. */
  namesSessions?: boolean
  /** How the key set is read. Default: over HTTP. */
  fetchKeys?: FetchImplementation
}

export function createVerifier(
  { issuer, audience, jwksUrl, namesSessions = false, fetchKeys = fetch }: Issuer,
  now: () => Date,
): VerifyIdentity {
  // The set is found by `kid` alone; `jku`, `jwk` and `x5u` in a token's header are not looked at.
  const keys = createRemoteJWKSet(jwksUrl, {
    cacheMaxAge: keysFreshMs,
    timeoutDuration: timeoutMs,
    headers: { 'User-Agent': userAgent },
    // How often an unknown `kid` has the set read again is decided below, so that a rotated key is accepted at once.
    cooldownDuration: 0,
    [customFetch]: sparing(fetchKeys),
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
      const { sub, email, name, sid } = claims.parse(payload)
      if (namesSessions && !sid) return null
      return { userId: sub, email: email || null, name: name || null, signInId: (namesSessions && sid) || null }
    } catch (error) {
      if (error instanceof AppError) throw error
      // Forged, outdated, meant for somebody else, or signed by nobody we know: the reason is the forger's business to find.
      return null
    }
  }
}

const readsPerPeriod = 2
const periodMs = 30_000

/**
 * Anyone can invent a `kid`, and each unknown one has jose read the keys again. So they are read at most twice in 30 s, and the last
 * good answer stands in between, and also while the provider is down.
 */
function sparing(read: FetchImplementation): FetchImplementation {
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
      if (response.status !== 200 || !Array.isArray(JSON.parse(text)?.keys)) throw new Error(`no key set, but status ${response.status}`)
      last = text
    } catch (error) {
      if (last === undefined)
        throw new AppError('UNAVAILABLE', "The identity provider's keys cannot be read", { cause: error, retryAfter: 5 })
    }
    return new Response(last)
  }
}
