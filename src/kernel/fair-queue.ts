// Fair queueing: a process runs a bounded number of operations at once, and serves organizations with waiting operations round-robin. An
// organization that floods the server queues behind its own operations; the others wait for one of them, not for all. Work in the background
// queues here too, because it takes the same processor and the same connections.

import { AppError } from './errors.ts'

export interface FairQueueLimits {
  /** The number of operations that run at once. */
  total: number
  /** Of `total`, the share of an organization while no other is active. The rest stays free for the next organization. */
  alone: number
  /** Of `total`, the share of all organizations in equal parts, while several are active. */
  together: number
  /** The maximum number of waiting operations of one organization. Further ones are refused. */
  waiting: number
  /**
   * Milliseconds after which a running operation is no longer counted: it is probably waiting for an outside service, and must not delay
   * others. When no operation has ended for this long, the database does not answer; then waiting operations are started, so that they fail
   * soon.
   */
  lateMs: number
  /** The maximum time that an operation waits to begin. */
  maxWaitMs: number
}

// 32: more make neither batches of writes nor the connection pool faster. 24 alone: 8 stay free for another organization. 6 together: an
// operation waits behind at most 6 operations of other organizations; with 12, its p95 was three times the p95 of a quiet server.
const defaults: FairQueueLimits = { total: 32, alone: 24, together: 6, waiting: 1000, lateMs: 250, maxWaitMs: 5000 }
// 1 s: a client that sends one request after another stays active between them.
const activeMs = 1000
// The minimum share of each organization, however many are active. `total` still applies.
const minEach = 2
// 100 ms: longer operations probably wait for something outside, and others would be held up for nothing. Work in the background takes 50.
const youngMs = 100
// 20 ms: from the end of an operation to the next one of the same client, or to the work in the background that follows.
const pauseMs = 20

/**
 * Kind of work: somebody waits for a `request`; the others are never refused, wait as long as it takes, and their claimers bound them.
 * They are counted apart, so that an organization's requests do not queue behind its own jobs.
 */
export type Kind = 'request' | 'background' | 'stream'

/** Runs the work when it is the organization's turn. Rejects with UNAVAILABLE when too many of its requests wait. */
export type FairQueue = <Result>(organization: string, work: () => Promise<Result>, kind?: Kind) => Promise<Result>

interface Waiting {
  /** Infinity: is never refused. */
  since: number
  begin(): void
  refuse(): void
}
/** Work of one kind of an organization. */
interface Group {
  tenant: Tenant
  working: number
  waiting: Waiting[]
}
interface Tenant {
  groups: Map<Kind, Group>
  /** The running work of all kinds. */
  working: number
  waiting: number
  seenAt: number
}
interface Slot {
  group: Group
  begunAt: number
}

export function createFairQueue(limits: Partial<FairQueueLimits> = {}): FairQueue {
  const { total, alone, together, waiting: maxWaiting, lateMs, maxWaitMs } = { ...defaults, ...limits }
  const tenants = new Map<string, Tenant>()
  // Groups with waiting operations. The first is served next.
  const queue = new Set<Group>()
  // Running operations in the order in which they began.
  const underWay = new Set<Slot>()
  // The idle organization that finished most recently.
  let last: { tenant: Tenant; at: number } | null = null
  let cleanedAt = 0
  let endedAt = 0
  let timer: NodeJS.Timeout | undefined

  // Whether another organization asks for less than its share: it has no more under way, and nothing waits.
  const isLighter = (other: Tenant, { working }: Tenant) => other.waiting === 0 && other.working <= working
  // Beside such a one, an organization has one at a time: with three, an operation of the other one would take as long as four do.
  const yields = (tenant: Tenant) => {
    const now = performance.now()
    let hasYoung = false
    let isBeside = last !== null && last.tenant !== tenant && last.at > now - pauseMs && isLighter(last.tenant, tenant)
    for (const { group, begunAt } of underWay) {
      if (begunAt <= now - youngMs) continue
      if (group.tenant === tenant) hasYoung = true
      else isBeside ||= isLighter(group.tenant, tenant)
    }
    return hasYoung && isBeside
  }
  const hasRoom = ({ tenant, working }: Group) => {
    if (tenants.size <= 1) return working < alone
    return tenant.working === 0 || (working < Math.max(minEach, Math.floor(together / tenants.size)) && !yields(tenant))
  }
  const groupOf = (organization: string, kind: Kind, now: number): Group => {
    if (now - cleanedAt > activeMs) {
      cleanedAt = now
      for (const [name, { working, waiting, seenAt }] of tenants)
        if (working === 0 && waiting === 0 && now - seenAt > activeMs) tenants.delete(name)
    }
    let tenant = tenants.get(organization)
    if (!tenant) tenants.set(organization, (tenant = { groups: new Map(), working: 0, waiting: 0, seenAt: now }))
    let group = tenant.groups.get(kind)
    if (!group) tenant.groups.set(kind, (group = { tenant, working: 0, waiting: [] }))
    tenant.seenAt = now
    return group
  }
  const begin = (group: Group): Slot => {
    const slot = { group, begunAt: performance.now() }
    group.working++
    group.tenant.working++
    underWay.add(slot)
    return slot
  }
  const end = (slot: Slot) => {
    if (!underWay.delete(slot)) return
    const { group } = slot
    const { tenant } = group
    group.working--
    tenant.working--
    if (tenant.waiting === 0) last = { tenant, at: performance.now() }
    if (queue.size > 0) serve()
  }
  const serve = (isStuck = false) => {
    for (const group of queue) {
      if (underWay.size >= total && !isStuck) return
      if (!hasRoom(group) && !isStuck) continue
      queue.delete(group)
      const next = group.waiting.shift()
      if (group.waiting.length > 0) queue.add(group)
      next?.begin()
    }
  }
  // Runs on a timer while operations wait.
  const check = () => {
    const now = performance.now()
    for (const slot of underWay) {
      if (slot.begunAt > now - lateMs) break
      end(slot)
    }
    for (const { waiting } of queue) while (waiting[0] && waiting[0].since < now - maxWaitMs) waiting.shift()?.refuse()
    serve(endedAt < now - lateMs)
    if (queue.size === 0) timer = void clearInterval(timer)
  }
  const wait = (group: Group, isPatient: boolean) =>
    new Promise<Slot>((resolve, reject) => {
      const { tenant } = group
      const refusal = () => new AppError('UNAVAILABLE', 'Too many requests of this organization are waiting; try again', { retryAfter: 1 })
      if (group.waiting.length >= maxWaiting && !isPatient) return reject(refusal())
      tenant.waiting++
      group.waiting.push({
        since: isPatient ? Number.POSITIVE_INFINITY : performance.now(),
        begin() {
          tenant.waiting--
          resolve(begin(group))
        },
        refuse() {
          tenant.waiting--
          reject(refusal())
        },
      })
      queue.add(group)
      if (timer) return
      endedAt = performance.now()
      timer = setInterval(check, lateMs / 4).unref()
    })

  return async (organization, work, kind = 'request') => {
    const group = groupOf(organization, kind, performance.now())
    const isFree = underWay.size < total && group.waiting.length === 0 && hasRoom(group)
    const slot = isFree ? begin(group) : await wait(group, kind !== 'request')
    try {
      return await work()
    } finally {
      endedAt = performance.now()
      end(slot)
    }
  }
}
