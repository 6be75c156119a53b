// The Context of a request: the principal, the organization, the door, the database, the loaders and the clock.

import type { Logger } from 'pino'
import type { Config } from '../config/environment.ts'
import type { Database, Queries } from '../database/client.ts'
import type { Listener } from '../database/notifications/listener.ts'
import type { Notifier } from '../database/notifications/notifier.ts'
import type { Replicas } from '../database/replicas/replicas.ts'
import type { Deadline } from './deadlines/deadline.ts'
import type { Door } from './door.ts'
import { AppError, invalid } from './errors.ts'
import type { Outbox } from './events/outbox.ts'
import type { FairQueue } from './fair-queue.ts'
import { problem } from './input/problem.ts'
import type { NetworkLimits } from './limits/limits.ts'
import type { Metrics } from './metrics.ts'
import type { Outgoing } from './outgoing/http.ts'
import { isAllowed, isVerified, organizationNamed, type Principal, type Scope, type SessionPrincipal } from './principal.ts'
import type { Queue } from './queue/queue.ts'
import type { Tracing } from './tracing/tracing.ts'

/** The services that belong to no domain. */
export interface KernelServices {
  config: Config
  database: Database
  /** Where lists, stats, search and dashboard may be read; null without DATABASE_READ_URLS. */
  replicas: Replicas | null
  log: Logger
  /** The time by the database's clock. Tests set it. */
  now(): Date
  queue: Queue
  outbox: Outbox
  /** Notifies the other processes of new work. */
  notifier: Notifier
  metrics: Metrics
  tracing: Tracing
  listener: Listener
  /** HTTP requests to addresses that users gave. Private addresses are refused unless a setting allows them. */
  outgoing: Outgoing
  /** Schedules operations fairly between organizations when the process is at its concurrency limit. */
  fairQueue: FairQueue
  /** How often callers without a valid credential may do something, per network. */
  networkLimits: NetworkLimits
}

/**
 * The services of a process: created once at start, part of every context. A domain adds its port beside the port's type:
 *
 * ```ts
 * declare module '../kernel/context.ts' {
 *   interface Services {
 *     money: Money
 *   }
 * }
 * ```
 */
export interface Services extends KernelServices {
  /** The replacement of each port in a dry run. A port that reaches something outside the database must refuse. */
  portsInDryRun: { readonly [Name in keyof Ports]: (port: Services[Name]) => Services[Name] }
}

/** The services that domains have added. */
export type Ports = Omit<Services, keyof KernelServices | 'portsInDryRun'>

/** The Idempotency-Key of a write. */
export interface IdempotencyKey {
  key: string
  /** The operation name that scopes the key, if the door sets one. Null: the name of the operation that runs. */
  operation: string | null
  /**
   * The caller's input as plain JSON: requests with the same key count as the same request if it is equal. Doors that run stored documents
   * set it from the request, not from what they make of it: documents, defaults and names of fields change with a release, and a retry may
   * reach the next one. Default: the write's input.
   */
  sent?: unknown
  /** The value that an earlier release compared instead of the input; absent for the input. */
  formerly?: string | undefined
  /** True when the answer was returned from the store. */
  replayed: boolean
  /** With `replayed`: the id of the operation that stored the answer; null where it is unknown. */
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
  countWrites?: ((rows: number) => Promise<void>) | undefined
  /** Aborted when the client disconnects. For subscriptions only: other operations run to their end. */
  signal?: AbortSignal
  /** The time limit for the answer of a write. */
  deadline?: Deadline | undefined
  /** The second steps of writes, which run after the commit. Only idempotency/ uses them. */
  steps?: Steps | undefined
  /** Set in a dry run. Rules store here what the answer does not contain. */
  dryRun?: DryRun
}

/** The second steps of a write, which run outside its transaction, after the commit, and their results. See `inTwoSteps`. */
export interface Steps {
  /** Added by the first steps. `withinMs`: the most milliseconds that the second step takes. */
  toFinish: { finish: () => Promise<unknown>; withinMs: number }[]
  /** The results of the second steps in order, while the answer is built a second time; null before. */
  finished: unknown[] | null
}

/** The result of a dry run besides the answer of the write. Domains add members, as they add ports to `Services`. */
export interface DryRun {
  /** Content of a file that the write would make or has described. */
  file?: DescribedFile
  /** The events that the write would have recorded; set at its end. */
  receipt?: {
    /** The first 200 events that the caller may read, with the fields that each changes. */
    events: readonly unknown[]
    eventCount: number
    /** The cost in credits; null for a caller who may not read costs, and for a write without events. */
    creditsTaken: number | null
    creditsReserved: number | null
  }
}

interface DescribedFile {
  /** The rows of an export or report; for an upload, the rows that were read to describe its columns. Without the header. */
  rowCount: number
  columns: readonly string[]
}

/** The caller and the request that a context is made for. */
export interface RequestOrigin {
  principal: Principal
  requestId: string
  door: Door
  operation?: string
  requestedOrgId?: string | null
  idempotencyKey?: string | null
  /** See `IdempotencyKey`. */
  sent?: unknown
  formerly?: string | undefined
}

export function createContext(services: Services, request: RequestOrigin): Context {
  return {
    services,
    principal: request.principal,
    requestedOrgId: request.requestedOrgId ?? null,
    requestId: request.requestId,
    door: request.door,
    operation: request.operation ?? 'unnamed',
    db: services.database,
    now: services.now,
    // Nothing is stored for strangers: two of them may send the same key and input, and the second one would get the answer of the first.
    idempotency:
      request.idempotencyKey && isVerified(request.principal)
        ? {
            key: request.idempotencyKey,
            operation: request.operation ?? null,
            sent: request.sent,
            formerly: request.formerly,
            replayed: false,
          }
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

/** The key by which limits are shared between organizations: the caller's organization if there is one, otherwise the kind of credential. */
export function organizationKeyOf({ principal, requestedOrgId }: Context): string {
  switch (principal.kind) {
    case 'api_key':
    case 'access_token':
    case 'session':
    case 'service':
      return organizationNamed(principal, requestedOrgId) ?? principal.orgIds[0] ?? principal.kind
    case 'hook':
      return principal.orgId
    case 'system':
      return principal.orgId ?? principal.kind
    case 'identity':
    case 'guest':
    case 'anonymous':
      return principal.kind
  }
}

/** The signed-in user. Throws UNAUTHENTICATED without a credential and FORBIDDEN for other credentials than a user's session. */
export function userOf(context: Context): SessionPrincipal {
  const { principal } = context
  if (principal.kind === 'session') return principal
  if (principal.kind === 'anonymous') throw new AppError('UNAUTHENTICATED', 'Authentication is required')
  throw new AppError('FORBIDDEN', 'Only a signed-in user may do this')
}

/**
 * For fields that join two nouns: throws FORBIDDEN when the caller may not read the noun of the field's type. Root fields declare their
 * scopes.
 */
export function requireScope({ principal }: Context, scope: Scope): void {
  if (!isAllowed(principal, scope)) throw new AppError('FORBIDDEN', `The credential does not allow ${scope}`)
}
