// Credentials to principals: in what order they count, what each must look like, and what a wrong one meets.

import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Services } from '../context.ts'
import { statement } from '../database/client.ts'
import type { Listener } from '../database/listener.ts'
import { AppError } from '../errors.ts'
import { secretChecker } from '../secret-checker.ts'
import { readApiKey, readSession, readUser, touch } from './credential.ts'
import { createCredentialCache } from './credential-cache.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { isApiKey } from './key-format.ts'
import type { Principal } from './principal.ts'
import { misplaced } from './what-to-send.ts'

/**
 * `api_key`, `session` and `identity` come as `Authorization: Bearer`, `services_token` as X-Svc-Services-Token, `service_token` as
 * X-Svc-Service-Token, `user_header` as X-User-ID, `guest` as X-Guest-ID. They count in this order.
 */
export type CredentialKind = 'api_key' | 'session' | 'identity' | 'services_token' | 'service_token' | 'user_header' | 'guest'

/** A request, as far as it says who asks. */
export interface Presented {
  headers: IncomingHttpHeaders
  /** The caller's address, for throttling. Only read when needed: Express works it out on every reading. */
  ip: string | undefined
}

export interface Authenticator {
  /**
   * Who asks: at once when the credential is known, `anonymous` when none of the accepted kinds was presented. Throws or rejects with
   * UNAUTHENTICATED for a credential that is not valid here, whatever else was presented, and RATE_LIMITED when an address fails too often.
   */
  authenticate(presented: Presented, accepts: readonly CredentialKind[]): Principal | Promise<Principal>
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
// 600 a minute: clients that go on with a revoked key hear 401, as they should, and guessing 122 random bits stays hopeless.
const failuresPerMinute = 600
const anonymous: Principal = { kind: 'anonymous' }
// Backends may name users who have never been here.
const nobodyYet = { email: null, name: null, orgIds: [] }
const selectDemo = statement<{ id: string }>('credential_demo', 'select id from organizations where is_demo')

export function createAuthenticator({
  services,
  listener,
  identityProvider,
}: {
  services: Services
  listener: Listener
  identityProvider: IdentityProvider
}): Authenticator {
  const { config, database, now } = services
  const known = createCredentialCache(listener)
  const isServiceToken = secretChecker((config.SVC_SERVICES_TOKEN ?? '').split(',').flatMap(token => token.trim() || []))
  const failures = config.RATE_LIMIT ? new RateLimiterMemory({ points: failuresPerMinute, duration: 60 }) : null
  let demoOrgId: string | null = null

  const refuse = async ({ ip }: Presented, message: string): Promise<never> => {
    const outcome = await failures?.consume(ip ?? 'unknown').catch((reason: unknown) => reason)
    if (outcome instanceof RateLimiterRes && outcome.consumedPoints > failuresPerMinute) {
      services.metrics.refused('authentication')
      throw new AppError('RATE_LIMITED', 'Too many failed authentications from this address', {
        retryAfter: Math.ceil(outcome.msBeforeNext / 1000),
      })
    }
    throw new AppError('UNAUTHENTICATED', message)
  }

  const bearer = (header: string, presented: Presented, accepts: readonly CredentialKind[]): Principal | Promise<Principal> => {
    const token = header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7).trim() : ''
    const name = hash('sha256', token, 'hex')
    const credential = known.get(name)
    if (credential !== undefined && accepts.includes(credential.principal.kind as CredentialKind)) {
      const time = now().getTime()
      if (time < credential.expiresAt) {
        if (time >= credential.touchAt) touch(services, credential, time)
        return credential.principal
      }
    }
    return firstSeen(token, name, presented, accepts)
  }

  const firstSeen = async (token: string, name: string, presented: Presented, accepts: readonly CredentialKind[]): Promise<Principal> => {
    if (isApiKey(token) && accepts.includes('api_key')) {
      const credential = await known.read(name, () => readApiKey(database, name, now()))
      if (!credential) return refuse(presented, 'The API key is unknown, revoked or expired')
      touchWhenDue(credential)
      return credential.principal
    }
    if (uuid.test(token) && accepts.includes('session')) {
      const credential = await known.read(name, () => readSession(database, name, now()))
      if (!credential) return refuse(presented, 'The session is unknown, ended or expired')
      touchWhenDue(credential)
      return credential.principal
    }
    if (token.split('.').length === 3 && accepts.includes('identity')) {
      const identity = await identityProvider.verify(token)
      if (!identity) return refuse(presented, "The identity provider's token is not valid")
      const { headers, ip } = presented
      const device = { userAgent: headers['user-agent']?.slice(0, 500) ?? null, ipAddress: ip ?? null }
      return { kind: 'identity', ...identity, device }
    }
    return refuse(presented, misplaced(presented.headers.authorization ?? '', token, accepts))
  }
  const touchWhenDue = (credential: Parameters<typeof touch>[1]) => {
    const time = now().getTime()
    if (time >= credential.touchAt) touch(services, credential, time)
  }

  const service = async (token: string, presented: Presented): Promise<Principal> => {
    if (!isServiceToken(token)) return refuse(presented, 'The service token is not valid')
    if (presented.headers.origin !== undefined)
      throw new AppError('FORBIDDEN', 'The service token is for backends; a browser must not have it')
    const userId = headerOf(presented.headers, 'x-user-id')
    const user = userId === undefined ? null : await userNamed(userId)
    const { email, name, orgIds } = user?.kind === 'session' ? user : nobodyYet
    return { kind: 'service', userId: userId ?? null, email, name, orgIds }
  }

  const userNamed = async (userId: string): Promise<Principal | null> => {
    const name = `user:${userId}`
    const credential = known.get(name) ?? (await known.read(name, () => readUser(database, userId)))
    return credential?.principal ?? null
  }

  const user = async (userId: string, presented: Presented): Promise<Principal> =>
    (await userNamed(userId)) ?? refuse(presented, 'X-User-ID names no user')

  const guest = async (guestId: string, presented: Presented): Promise<Principal> => {
    if (guestId.length > 128) return refuse(presented, 'X-Guest-ID must have 1 to 128 characters')
    // Else a credential pasted into the wrong field would show somebody else's data, with 200.
    if (/^(?:(?:bearer|apikey)\b|\W*rcm_)/i.test(guestId))
      return refuse(presented, 'X-Guest-ID holds a credential; send it as Authorization: Bearer <API key or session token>')
    // There is one demo organization and it stays; until it is there it is looked for.
    demoOrgId ??= (await database.query(selectDemo))[0]?.id ?? null
    return { kind: 'guest', guestId, orgId: demoOrgId }
  }

  const weaker = (presented: Presented, accepts: readonly CredentialKind[]): Principal | Promise<Principal> => {
    const { headers } = presented
    const servicesToken = accepts.includes('services_token') ? headerOf(headers, 'x-svc-services-token') : undefined
    if (servicesToken !== undefined) return service(servicesToken, presented)
    const serviceToken = accepts.includes('service_token') ? headerOf(headers, 'x-svc-service-token') : undefined
    if (serviceToken !== undefined) return service(serviceToken, presented)
    const userId = config.ALLOW_USER_HEADER && accepts.includes('user_header') ? headerOf(headers, 'x-user-id') : undefined
    if (userId !== undefined) return user(userId, presented)
    const guestId = accepts.includes('guest') ? headerOf(headers, 'x-guest-id') : undefined
    if (guestId !== undefined) return guest(guestId, presented)
    return anonymous
  }

  return {
    authenticate(presented, accepts) {
      const { authorization } = presented.headers
      if (!authorization) return weaker(presented, accepts)
      if (accepts.includes('api_key') || accepts.includes('session') || accepts.includes('identity'))
        return bearer(authorization, presented, accepts)
      // Only a service may do this, and its token decides. Whatever stands before that must be valid all the same (decisions §3).
      const found = bearer(authorization, presented, ['api_key', 'session'])
      return found instanceof Promise ? found.then(() => weaker(presented, accepts)) : weaker(presented, accepts)
    },
  }
}

// An empty header presents nothing. Node joins repeated ones of these names with a comma.
function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
