// Fair queueing: a process runs a bounded number of operations at once, and serves organizations with waiting operations round-robin. An
// organization that floods the server queues behind its own operations; the others wait for one of them, not for all.

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
// operation waits behind at most 6 operations of other organizations; with 12, its p95 was three times that of a quiet server.
const defaults: FairQueueLimits = { total: 32, alone: 24, together: 6, waiting: 1000, lateMs: 250, maxWaitMs: 5000 }
// 1 s: a client that sends one request after another stays active between them.
const activeMs = 1000
// The minimum share of each organization, however many are active. `total` still applies.
const minEach = 2

/** Runs the work when it is the organization's turn. Rejects with UNAVAILABLE when too many of its operations wait. */
export type FairQueue = <Result>(organization: string, work: () => Promise<Result>) => Promise<Result>

interface Waiting {
  since: number
  begin(): void
  refuse(): void
}
interface Group {
  working: number
  waiting: Waiting[]
  seenAt: number
}
interface Slot {
  group: Group
  begunAt: number
}

export function createFairQueue(limits: Partial<FairQueueLimits> = {}): FairQueue {
  const { total, alone, together, waiting: maxWaiting, lateMs, maxWaitMs } = { ...defaults, ...limits }
  const groups = new Map<string, Group>()
  // Groups with waiting operations. The first is served next.
  const queue = new Set<Group>()
  // Running operations in the order in which they began.
  const underWay = new Set<Slot>()
  let cleanedAt = 0
  let endedAt = 0
  let timer: NodeJS.Timeout | undefined

  const share = () => (groups.size <= 1 ? alone : Math.max(minEach, Math.floor(together / groups.size)))
  const groupOf = (organization: string, now: number): Group => {
    if (now - cleanedAt > activeMs) {
      cleanedAt = now
      for (const [name, { working, waiting, seenAt }] of groups)
        if (working === 0 && waiting.length === 0 && now - seenAt > activeMs) groups.delete(name)
    }
    let group = groups.get(organization)
    if (!group) groups.set(organization, (group = { working: 0, waiting: [], seenAt: now }))
    group.seenAt = now
    return group
  }
  const begin = (group: Group): Slot => {
    const slot = { group, begunAt: performance.now() }
    group.working++
    underWay.add(slot)
    return slot
  }
  const end = (slot: Slot) => {
    if (!underWay.delete(slot)) return
    slot.group.working--
    if (queue.size > 0) serve()
  }
  const serve = (isStuck = false) => {
    const maxEach = share()
    for (const group of queue) {
      if (underWay.size >= total && !isStuck) return
      if (group.working >= maxEach && !isStuck) continue
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
  const wait = (group: Group) =>
    new Promise<Slot>((resolve, reject) => {
      const refuse = () =>
        reject(new AppError('UNAVAILABLE', 'Too many requests of this organization are waiting; try again', { retryAfter: 1 }))
      if (group.waiting.length >= maxWaiting) return refuse()
      group.waiting.push({ since: performance.now(), begin: () => resolve(begin(group)), refuse })
      queue.add(group)
      if (timer) return
      endedAt = performance.now()
      timer = setInterval(check, lateMs / 4).unref()
    })

  return async (organization, work) => {
    const group = groupOf(organization, performance.now())
    const isFree = underWay.size < total && group.waiting.length === 0 && group.working < share()
    const slot = isFree ? begin(group) : await wait(group)
    try {
      return await work()
    } finally {
      endedAt = performance.now()
      end(slot)
    }
  }
}
