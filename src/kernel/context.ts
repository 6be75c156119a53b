// The Context of a request: the principal, the organization, the door, the database, the loaders and the clock.

import type { Logger } from 'pino'
import type { Config } from '../config/environment.ts'
import type { Database, Queries } from '../database/client.ts'
import type { Listener } from '../database/notifications/listener.ts'
import type { Notifier } from '../database/notifications/notifier.ts'
import type { Telephony } from '../voice/providers/telephony.ts'
import type { Door } from './door.ts'
import { AppError, invalid } from './errors.ts'
import type { Outbox } from './events/outbox.ts'
import type { FairQueue } from './fair-queue.ts'
import type { HookMappings } from './hook-mappings.ts'
import { problem } from './input/problem.ts'
import type { Metrics } from './metrics.ts'
import type { Money } from './money.ts'
import type { Outgoing } from './outgoing-http.ts'
import { isAllowed, organizationNamed, type Principal, type Scope, type SessionPrincipal } from './principal.ts'
import type { Tasks } from './tasks/tasks.ts'

/** The services of a process: created once at start, part of every context. */
export interface Services {
  config: Config
  database: Database
  log: Logger
  /** The time by the database's clock. Tests set it. */
  now(): Date
  tasks: Tasks
  outbox: Outbox
  /** Notifies the other processes of new work. */
  notifier: Notifier
  metrics: Metrics
  money: Money<Context>
  listener: Listener
  /** HTTP requests to addresses that users gave. Private addresses are refused unless a setting allows them. */
  outgoing: Outgoing
  telephony: Telephony
  hookMappings: HookMappings
  /** Schedules operations fairly between organizations when the process is at its concurrency limit. */
  fairQueue: FairQueue
}

/** An Idempotency-Key that came with a write. */
export interface IdempotencyKey {
  key: string
  /** The name that scopes the key, where the door sets one; null for the operation that runs. */
  operation: string | null
  /** Two requests with the key are the same request if this is equal. Default: the input. */
  sameWhen?: string | undefined
  /** Set once an answer was returned from the store. */
  replayed: boolean
  /** With `replayed`: the operation that was answered first; null where it is unknown. */
  replayedId?: string | null
}

/** The context of one request. Its loaders live as long as the request. */
export interface Context {
  services: Services
  principal: Principal
  /** The header X-Org-Id; null without it. */
  requestedOrgId: string | null
  requestId: string
  door: Door
  /** The operation's name, for events and logs. */
  operation: string
  db: Queries
  now(): Date
  idempotency: IdempotencyKey | null
  /** Counts further writes towards the rate limit, such as the second and later rows of a batch. Absent: nothing is counted. */
  countWrites?: (rows: number) => Promise<void>
  /** Aborted when the client disconnects. For subscriptions only: other operations run to their end. */
  signal?: AbortSignal
  /** The second steps of writes, which run after the commit. Only idempotency/ uses them. */
  steps?: Steps | undefined
  /** Set when the write is only tried. Rules add what the answer does not say. */
  dryRun?: DryRun
}

/** The second steps of writes, which run outside the transaction after its commit, and their results. See `inTwoSteps`. */
export interface Steps {
  /** Added by the first steps. `withinMs`: the most milliseconds that the second step takes. */
  toFinish: { finish: () => Promise<unknown>; withinMs: number }[]
  /** The results of the second steps in order, while the answer is built a second time; otherwise null. */
  finished: unknown[] | null
}

/** What a dry run found out beside the answer of the write. */
export interface DryRun {
  /** Whether and when a call would be dialled; null for other writes. */
  policy: Policy | null
  /** What the write would have recorded; set at its end. */
  receipt?: {
    /** The first 200 that the caller may read, with the fields that each changes. */
    events: readonly unknown[]
    eventCount: number
    /** In credits; null for a caller who may not read them, and for a write without events. */
    creditsTaken: number | null
    creditsReserved: number | null
  }
}

export interface Policy {
  isAllowed: boolean
  /** When it would be dialled; null for never. */
  at: string | null
  /** Why it would not be dialled, or not yet: the `endedReason` of the call, or `calling_hours`. */
  reason: string | null
}

export interface Asking {
  principal: Principal
  requestId: string
  door: Door
  operation?: string
  requestedOrgId?: string | null
  idempotencyKey?: string | null
  /** See `IdempotencyKey`. */
  sameWhen?: string | undefined
}

export function createContext(services: Services, asking: Asking): Context {
  return {
    services,
    principal: asking.principal,
    requestedOrgId: asking.requestedOrgId ?? null,
    requestId: asking.requestId,
    door: asking.door,
    operation: asking.operation ?? 'unnamed',
    db: services.database,
    now: services.now,
    idempotency: asking.idempotencyKey
      ? { key: asking.idempotencyKey, operation: asking.operation ?? null, sameWhen: asking.sameWhen, replayed: false }
      : null,
  }
}

/** The same context inside a transaction. Its loaders start empty, so they read the transaction's own writes. */
export const inTransaction = (context: Context, db: Queries): Context => ({ ...context, db })

/**
 * The id of the request's organization. Throws UNAUTHENTICATED without a credential, FORBIDDEN for an organization that the caller has no
 * access to, and INVALID at `header.X-Org-Id` when the caller has several and names none.
 */
export function organizationOf(context: Context): string {
  const { principal, requestedOrgId } = context
  switch (principal.kind) {
    case 'anonymous':
    case 'identity':
      throw new AppError('UNAUTHENTICATED', 'Authentication is required')
    case 'hook':
      return principal.orgId
    case 'guest':
    case 'system':
      if (principal.orgId === null) throw new AppError('NOT_FOUND', 'There is no demo organization here')
      return principal.orgId
    default: {
      const { orgIds } = principal
      if (principal.kind === 'service' && principal.userId === null)
        throw new AppError('FORBIDDEN', 'A service acts for the user that x-user-id names')
      const named = organizationNamed(principal, requestedOrgId)
      if (named !== null) return named
      if (requestedOrgId !== null) throw new AppError('FORBIDDEN', 'No access to the organization named by X-Org-Id')
      if (orgIds.length === 0) throw new AppError('FORBIDDEN', 'The credential has access to no organization')
      throw invalid(problem(['header', 'X-Org-Id'], 'missing', undefined, { organizations: orgIds.length }))
    }
  }
}

/** The signed-in user. Throws UNAUTHENTICATED without a credential and FORBIDDEN for other credentials than a user's session. */
export function userOf(context: Context): SessionPrincipal {
  const { principal } = context
  if (principal.kind === 'session') return principal
  if (principal.kind === 'anonymous') throw new AppError('UNAUTHENTICATED', 'Authentication is required')
  throw new AppError('FORBIDDEN', 'Only a signed-in user may do this')
}

/** For fields that lead from one noun to another: throws FORBIDDEN when the caller may not read the other. Root fields declare their scopes. */
export function requireScope({ principal }: Context, scope: Scope): void {
  if (!isAllowed(principal, scope)) throw new AppError('FORBIDDEN', `The credential does not allow ${scope}`)
}
