// Authentication: turns the credential of a request into a principal. Defines which header takes precedence, and how an invalid one is
// refused.

import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Listener } from '../../database/notifications/listener.ts'
import type { Services } from '../../kernel/context.ts'
import { constantTimeMatcher } from '../../kernel/crypto/constant-time.ts'
import { AppError } from '../../kernel/errors.ts'
import { isPrintedId } from '../../kernel/ids.ts'
import type { Device, Principal } from '../../kernel/principal.ts'
import { isAccessToken, isApiKey } from '../keys/format.ts'
import { resourceOf } from '../oauth/address.ts'
import type { IdentityProvider } from '../provider/provider.ts'
import { explainMisplaced } from './challenge.ts'
import { principalFor, readAccessToken, readApiKey, readSession, readUser, touch } from './credential.ts'
import { createCredentialCache } from './credential-cache.ts'

// 600: a client that keeps sending a revoked key gets 401 instead of 429, and 122 random bits cannot be guessed at this rate.
const wrongCredentials = { max: 600, seconds: 60 }

/**
 * `api_key`, `session`, `access_token` and `identity` come as `Authorization: Bearer`, `services_token` as X-Svc-Services-Token, `service_token` as
 * X-Svc-Service-Token, `user_header` as X-User-ID, `guest` as X-Guest-ID. The first one present in this order is used.
 */
export type CredentialKind =
  | 'api_key'
  | 'session'
  | 'access_token'
  | 'identity'
  | 'services_token'
  | 'service_token'
  | 'user_header'
  | 'guest'

/** The parts of a request that authentication reads. */
interface Presented {
  headers: IncomingHttpHeaders
  /** The client's IP address, for throttling. Read only when needed: Express computes it on every read. */
  ip: string | undefined
}

export interface Authenticator {
  /**
   * The request's principal: returned synchronously when the credential is cached, `anonymous` when the request has none of the accepted
   * kinds. Throws or rejects with UNAUTHENTICATED for an invalid credential, even when the request has a valid one as well, and with
   * RATE_LIMITED when an address fails too often.
   */
  authenticate(presented: Presented, accepts: readonly CredentialKind[]): Principal | Promise<Principal>
}

// The user named by a backend may never have signed in.
const nobodyYet = { email: null, name: null, orgIds: [] }

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
  const isServiceToken = constantTimeMatcher((config.SVC_SERVICES_TOKEN ?? '').split(',').flatMap(token => token.trim() || []))
  let demoOrgId: string | null = null

  const refuse = async ({ ip }: Presented, message: string): Promise<never> => {
    const retryAfter = services.networkLimits.count(wrongCredentials, ip)
    if (retryAfter !== null) {
      services.metrics.countRefusal('authentication')
      throw new AppError('RATE_LIMITED', 'Too many failed authentications from this address', { retryAfter })
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
        return principalFor(credential, orgHeaderOf(presented))
      }
    }
    return firstSeen(token, name, presented, accepts)
  }

  const firstSeen = async (token: string, name: string, presented: Presented, accepts: readonly CredentialKind[]): Promise<Principal> => {
    if (isApiKey(token) && accepts.includes('api_key')) {
      const credential = await known.read(name, () => readApiKey(database, name, now()))
      if (!credential) return refuse(presented, 'The API key is unknown, revoked or expired')
      touchWhenDue(credential)
      return principalFor(credential, orgHeaderOf(presented))
    }
    if (isPrintedId(token) && accepts.includes('session')) {
      const credential = await known.read(name, () => readSession(database, name, now()))
      if (!credential) return refuse(presented, 'The session is unknown, ended or expired')
      touchWhenDue(credential)
      return principalFor(credential, orgHeaderOf(presented))
    }
    if (isAccessToken(token) && accepts.includes('access_token')) {
      const credential = await known.read(name, () => readAccessToken(database, name, now(), resourceOf(config)))
      if (!credential) return refuse(presented, 'The access token is unknown, revoked, expired or for another server')
      touchWhenDue(credential)
      return principalFor(credential, orgHeaderOf(presented))
    }
    if (token.split('.').length === 3 && accepts.includes('identity')) {
      const identity = await identityProvider.verify(token)
      if (!identity) return refuse(presented, "The identity provider's token is not valid")
      return { kind: 'identity', ...identity, device: deviceOf(presented) }
    }
    return refuse(presented, explainMisplaced(presented.headers.authorization ?? '', token, accepts))
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
    const user = userId === undefined ? null : await userNamed(userId, presented)
    const { email, name, orgIds } = user?.kind === 'session' ? user : nobodyYet
    return { kind: 'service', userId: userId ?? null, email, name, orgIds }
  }

  const userNamed = async (userId: string, presented: Presented): Promise<Principal | null> => {
    const name = `user:${userId}`
    const credential = known.get(name) ?? (await known.read(name, () => readUser(database, userId)))
    return credential ? principalFor(credential, orgHeaderOf(presented)) : null
  }

  const user = async (userId: string, presented: Presented): Promise<Principal> =>
    (await userNamed(userId, presented)) ?? refuse(presented, 'X-User-ID names no user')

  const guest = async (guestId: string, presented: Presented): Promise<Principal> => {
    if (guestId.length > 128) return refuse(presented, 'X-Guest-ID must have 1 to 128 characters')
    // Otherwise a credential sent in the wrong header would be answered 200 with the demo organization's data.
    if (/^(?:(?:bearer|apikey)\b|\W*rcm_)/i.test(guestId))
      return refuse(presented, 'X-Guest-ID holds a credential; send it as Authorization: Bearer <API key or session token>')
    // There is one demo organization and it is never deleted, so its id is cached once it exists.
    demoOrgId ??= (await database.prisma.organization.findFirst({ where: { isDemo: true } }))?.id ?? null
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
    return { kind: 'anonymous', device: () => deviceOf(presented) }
  }

  return {
    authenticate(presented, accepts) {
      const { authorization } = presented.headers
      if (!authorization) return weaker(presented, accepts)
      if (accepts.includes('api_key') || accepts.includes('session') || accepts.includes('identity'))
        return bearer(authorization, presented, accepts)
      // Only a service token is accepted here. A bearer token must be valid nevertheless: an invalid credential is never ignored in favor
      // of a weaker one.
      const found = bearer(authorization, presented, ['api_key', 'session'])
      return found instanceof Promise ? found.then(() => weaker(presented, accepts)) : weaker(presented, accepts)
    },
  }
}

const deviceOf = ({ headers, ip }: Presented): Device => ({
  userAgent: headers['user-agent']?.slice(0, 500) ?? null,
  ipAddress: ip ?? null,
})

const orgHeaderOf = ({ headers }: Presented) => headerOf(headers, 'x-org-id')

// An empty header counts as absent. Node joins repeated headers of these names with a comma.
function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
