// Who asks, for which organization, through which door, and with what the asking is answered.

import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Bell } from './database/bell.ts'
import type { Database, Queries } from './database/client.ts'
import type { Listener } from './database/listener.ts'
import { AppError, invalid } from './errors.ts'
import { isAllowed, type Principal, type Scope } from './identity/principal.ts'
import type { Metrics } from './metrics.ts'
import type { Money } from './money.ts'
import type { Outbox } from './outbox.ts'
import type { Outgoing } from './outgoing.ts'
import type { Tasks } from './tasks.ts'
import type { Turns } from './turns.ts'
import type { Telephony } from './voice/telephony.ts'

export type Door = 'graphql' | 'rest' | 'hooks' | 'tools' | 'tasks' | 'system'

/** What a process has: made once at start, handed to every context. */
export interface Services {
  config: Config
  database: Database
  log: Logger
  /** The database's clock, followed by the process. Tests set it. */
  now(): Date
  tasks: Tasks
  outbox: Outbox
  /** Tells the other processes that there is something to do. */
  bell: Bell
  metrics: Metrics
  money: Money<Context>
  listener: Listener
  /** Requests to addresses that users gave: never to private ones, unless a setting allows them. */
  outgoing: Outgoing
  telephony: Telephony
  /** Lets organizations take turns where the process has more to do than it can do at once. */
  turns: Turns
}

/** An Idempotency-Key that came with a write. */
export interface IdempotencyKey {
  key: string
  /** What it belongs to, where the door has a name for that; else the operation that runs. */
  operation: string | null
  /** What tells whether another request with the key asks for the same; absent: its input. */
  sameWhen?: string | undefined
  /** Set by the first answer that was given from the store. */
  replayed: boolean
}

/** One asking. Lives and dies with the request, and so do its loaders. */
export interface Context {
  services: Services
  principal: Principal
  /** The organization named by X-Org-Id, when one is. */
  requestedOrgId: string | null
  requestId: string
  door: Door
  /** The operation's name, for events and logs. */
  operation: string
  db: Queries
  now(): Date
  idempotency: IdempotencyKey | null
  /** Counts writes for the rate limit beyond the request's own: the further rows of a batch. Absent: nothing is counted. */
  countWrites?: (rows: number) => Promise<void>
  /** Aborted when whoever asked is gone. Subscriptions only; everything else is finished first. */
  signal?: AbortSignal
  /** What rules finish once the transaction that they run in has committed. Only once.ts touches it. */
  steps?: Steps | undefined
  /** Other writes share the transaction: see `NotInCompany` in once.ts. */
  isInCompany?: boolean
}

/** The second halves of writes: what they do outside, after the commit, and what came of it. */
export interface Steps {
  /** Left by the first halves. Milliseconds that each takes at most. */
  toFinish: { finish: () => Promise<unknown>; withinMs: number }[]
  /** Given while the answer is made anew: what the second halves resolved with, in order. */
  finished: unknown[] | null
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

/** The same asking inside a transaction. Loaders start empty, so they read what the transaction wrote. */
export const inTransaction = (context: Context, db: Queries): Context => ({ ...context, db })

/**
 * The organization asked for. Throws UNAUTHENTICATED for nobody, FORBIDDEN for an organization the caller has no access to, and
 * INVALID at `header.X-Org-Id` when the caller has several and names none.
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
      if (requestedOrgId !== null) {
        if (!orgIds.includes(requestedOrgId)) throw new AppError('FORBIDDEN', 'No access to the organization named by X-Org-Id')
        return requestedOrgId
      }
      const [only, ...others] = orgIds
      if (only === undefined) throw new AppError('FORBIDDEN', 'The credential has access to no organization')
      if (others.length > 0)
        throw invalid({
          path: ['header', 'X-Org-Id'],
          type: 'missing',
          message: 'Field required',
          context: { organizations: orgIds.length },
        })
      return only
    }
  }
}

/** The signed-in user. Throws UNAUTHENTICATED for nobody and FORBIDDEN for credentials that are not a user's own session. */
export function userOf(context: Context): { userId: string; sessionId: string | null } {
  const { principal } = context
  if (principal.kind === 'session') return principal
  if (principal.kind === 'anonymous') throw new AppError('UNAUTHENTICATED', 'Authentication is required')
  throw new AppError('FORBIDDEN', 'Only a signed-in user may do this')
}

/** For what leads from one noun to another: throws FORBIDDEN when the caller may not read the other. Root fields declare theirs. */
export function requireScope({ principal }: Context, scope: Scope): void {
  if (!isAllowed(principal, scope)) throw new AppError('FORBIDDEN', `The credential does not allow ${scope}`)
}
