// Rate limits: reads and writes per minute, per credential and per organization. Each process counts alone, or with REDIS_URL all processes
// together. The service token has its own limit, or none.

import type { Request, Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../config/environment.ts'
import { AppError } from '../kernel/errors.ts'
import { networkOf } from '../kernel/limits/network.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { organizationNamed, type Principal } from '../kernel/principal.ts'
import { connectRedis } from './redis.ts'

/**
 * Counts a request of the principal, or its number of rows, and sets the RateLimit headers. Rejects with RATE_LIMITED when the limit is
 * exceeded.
 */
export interface Limit {
  (req: Request, res: Response, principal: Principal, kind: 'read' | 'write', rows?: number): Promise<void>
  /**
   * For requests whose body says whether they read or write, before it is read. Throws RATE_LIMITED for a principal who has been refused a
   * hundred times within the minute and goes on: a refusal must cost next to nothing.
   */
  beforeBody(req: Request, principal: Principal): void
}

const windowSeconds = 60
// 100: a client that is refused waits, or gives up.
const maxRefusals = 100
// The maximum number of principals whose refusals are remembered.
const maxRefused = 10_000

/** Creates the limiter that the doors of a process share. Undefined when RATE_LIMIT is off. */
export async function createLimiter({
  config,
  log,
  metrics,
}: {
  config: Config
  log: Logger
  metrics: Pick<Metrics, 'countRefusal' | 'condition'>
}): Promise<Limit | undefined> {
  if (!config.RATE_LIMIT) return undefined
  const redis = config.REDIS_URL ? await connectRedis(config.REDIS_URL, log) : null
  if (redis)
    metrics.condition(
      'rolocom_limits_shared',
      'Whether rate limits are counted in Redis, for all processes together (1), or by this process alone (0). Only with REDIS_URL.',
      redis.isAnswering,
    )

  const limit = (kind: string, points: number) => {
    const options = { keyPrefix: `rolocom:${kind}`, points, duration: windowSeconds }
    const memory = new RateLimiterMemory(options)
    const limiter = redis
      ? new RateLimiterRedis({
          ...options,
          storeClient: redis.client,
          useRedisPackage: true,
          // While Redis is unreachable each process counts alone, which is better than refusing all requests or none.
          rejectIfRedisNotReady: true,
          insuranceLimiter: memory,
          inMemoryBlockOnConsumed: points + 1,
        })
      : memory
    const ask = (key: string, count: number) =>
      redis
        ? redis.ask(
            () => limiter.consume(key, count),
            () => memory.consume(key, count),
          )
        : memory.consume(key, count)
    const standingOf = ({ msBeforeNext, remainingPoints }: RateLimiterRes, isRefused: boolean) => {
      const seconds = Math.ceil(msBeforeNext / 1000)
      return { isRefused, seconds, standing: `"${kind}";r=${remainingPoints};t=${seconds}` }
    }
    const consume = async (key: string, count: number) => {
      try {
        return standingOf(await ask(key, count), false)
      } catch (reason) {
        if (!(reason instanceof RateLimiterRes)) throw reason
        return standingOf(reason, true)
      }
    }
    return { consume, points, whose: '', name: kind, policy: `"${kind}";q=${points};w=${windowSeconds}` }
  }
  const limits = { read: limit('read', config.RATE_LIMIT_READS), write: limit('write', config.RATE_LIMIT_WRITES) }
  const ofOrganization = (kind: string, points: number) => ({ ...limit(`organization-${kind}`, points), whose: ' of the organization' })
  const organizationLimits = {
    read: ofOrganization('read', config.RATE_LIMIT_ORGANIZATION_READS),
    write: ofOrganization('write', config.RATE_LIMIT_ORGANIZATION_WRITES),
  }
  // All users of a backend share its service token, so the limit of an API key would be too low for it.
  const servicePoints = config.RATE_LIMIT_SERVICE
  const serviceLimits = servicePoints > 0 ? { read: limit('read', servicePoints), write: limit('write', servicePoints) } : null

  const refusals = new LRUCache<string, { count: number; until: number }>({ max: maxRefused })
  const remember = (key: string) => {
    const before = refusals.get(key)
    const now = performance.now()
    const entry = before && before.until > now ? before : { count: 0, until: now + windowSeconds * 1000 }
    entry.count++
    refusals.set(key, entry)
  }

  const count: Limit = async (req, res, principal, kind, rows) => {
    const applying = principal.kind === 'service' ? serviceLimits : limits
    const count = rows ?? 1
    if (!applying || count < 1) return
    const ofCredential = applying[kind]
    // The credential first, so that its refused requests do not count towards the organization's limit.
    const own = await ofCredential.consume(keyOf(principal, req), count)
    const orgId = own.isRefused ? null : organizationOfMember(principal, req)
    const shared = orgId ? await organizationLimits[kind].consume(orgId, count) : null
    res.setHeader('RateLimit-Policy', shared ? `${ofCredential.policy}, ${organizationLimits[kind].policy}` : ofCredential.policy)
    res.setHeader('RateLimit', shared ? `${own.standing}, ${shared.standing}` : own.standing)
    const refused = own.isRefused ? ofCredential : shared?.isRefused ? organizationLimits[kind] : null
    if (!refused) return
    metrics.countRefusal(refused.name)
    remember(keyOf(principal, req))
    const each = rows === undefined ? '' : '; each row of a batch is one'
    const sentence = `More than ${refused.points} ${kind}s${refused.whose} in ${windowSeconds} seconds${each}`
    throw new AppError('RATE_LIMITED', sentence, { retryAfter: (shared ?? own).seconds })
  }

  count.beforeBody = (req, principal) => {
    const entry = refusals.size > 0 ? refusals.get(keyOf(principal, req)) : undefined
    const waitMs = entry && entry.count > maxRefusals ? entry.until - performance.now() : 0
    if (waitMs <= 0) return
    metrics.countRefusal('repeated')
    const sentence = `More than ${maxRefusals} requests were refused in ${windowSeconds} seconds; wait as Retry-After says`
    throw new AppError('RATE_LIMITED', sentence, { retryAfter: Math.ceil(waitMs / 1000) })
  }
  return count
}

// Null for guests: they share the demo organization, and one guest must not exhaust its limit for the others.
function organizationOfMember(principal: Principal, req: Request): string | null {
  if (principal.kind !== 'api_key' && principal.kind !== 'access_token' && principal.kind !== 'session') return null
  return organizationNamed(principal, req.get('x-org-id')?.toLowerCase() || null)
}

// The key under which requests are counted. Guests choose their own ids, so they are counted by network, like requests without a
// credential.
function keyOf(principal: Principal, req: Request): string {
  switch (principal.kind) {
    case 'api_key':
      return `key:${principal.id}`
    case 'access_token':
      return `grant:${principal.id}`
    case 'session':
    case 'identity':
      return `user:${principal.userId}`
    case 'service':
    case 'hook':
    case 'system':
      return principal.kind
    case 'guest':
      return `guest:${networkOf(req.ip)}`
    case 'anonymous':
      return `network:${networkOf(req.ip)}`
  }
}
