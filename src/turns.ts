// Fair turns: a process works at a bounded number of operations at once, and organizations that have more waiting are served in turn. So one
// that floods the server waits for itself, and the others wait for one of its operations instead of for all of them.

import { AppError } from './errors.ts'

export interface TurnLimits {
  /** Operations under way at once. */
  total: number
  /** Of these, for one organization while no other is active: what is left is there when another one comes. */
  alone: number
  /** Of these, for all organizations that are active beside each other, in equal parts. */
  together: number
  /** Operations that one organization may have waiting; more are refused. */
  waiting: number
  /**
   * Milliseconds after which an operation counts no longer: it waits for somebody outside, and must not keep others waiting. Where nothing has
   * ended for so long the database does not answer, and nobody is kept from being told so.
   */
  lateMs: number
  /** Milliseconds that an operation waits for its turn at most. */
  patienceMs: number
}

// 32: beyond that batches of writes and connections of the pool gain nothing. 24 alone: 8 are free at once for another organization. 6 together: an
// operation of one waits behind at most so many of the others; with 12 its p95 was three times the quiet one, with 24 more.
const usual: TurnLimits = { total: 32, alone: 24, together: 6, waiting: 1000, lateMs: 250, patienceMs: 5000 }
// A second: who asks again and again is active in between.
const activeMs = 1000
// With many active organizations each may have as many at once; the total bounds them all the same.
const leastEach = 2

/** Runs the work when it is the organization's turn. Rejects with UNAVAILABLE when too much of it is waiting already. */
export type Turns = <Result>(organization: string, work: () => Promise<Result>) => Promise<Result>

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
interface Turn {
  group: Group
  begunAt: number
}

export function createTurns(limits: Partial<TurnLimits> = {}): Turns {
  const { total, alone, together, waiting: mostWaiting, lateMs, patienceMs } = { ...usual, ...limits }
  const groups = new Map<string, Group>()
  // Groups with something waiting, the next to be served first.
  const line = new Set<Group>()
  // In the order they were begun.
  const underWay = new Set<Turn>()
  let sweptAt = 0
  let endedAt = 0
  let watch: NodeJS.Timeout | undefined

  const share = () => (groups.size <= 1 ? alone : Math.max(leastEach, Math.floor(together / groups.size)))
  const groupOf = (organization: string, now: number): Group => {
    if (now - sweptAt > activeMs) {
      sweptAt = now
      for (const [name, { working, waiting, seenAt }] of groups)
        if (working === 0 && waiting.length === 0 && now - seenAt > activeMs) groups.delete(name)
    }
    let group = groups.get(organization)
    if (!group) groups.set(organization, (group = { working: 0, waiting: [], seenAt: now }))
    group.seenAt = now
    return group
  }
  const begin = (group: Group): Turn => {
    const turn = { group, begunAt: performance.now() }
    group.working++
    underWay.add(turn)
    return turn
  }
  const end = (turn: Turn) => {
    if (!underWay.delete(turn)) return
    turn.group.working--
    if (line.size > 0) serve()
  }
  const serve = (isStuck = false) => {
    const most = share()
    for (const group of line) {
      if (underWay.size >= total && !isStuck) return
      if (group.working >= most && !isStuck) continue
      line.delete(group)
      const next = group.waiting.shift()
      if (group.waiting.length > 0) line.add(group)
      next?.begin()
    }
  }
  // Only while somebody waits.
  const look = () => {
    const now = performance.now()
    for (const turn of underWay) {
      if (turn.begunAt > now - lateMs) break
      end(turn)
    }
    for (const { waiting } of line) while (waiting[0] && waiting[0].since < now - patienceMs) waiting.shift()?.refuse()
    serve(endedAt < now - lateMs)
    if (line.size === 0) watch = void clearInterval(watch)
  }
  const wait = (group: Group) =>
    new Promise<Turn>((resolve, reject) => {
      const refuse = () =>
        reject(new AppError('UNAVAILABLE', 'Too many requests of this organization are waiting; try again', { retryAfter: 1 }))
      if (group.waiting.length >= mostWaiting) return refuse()
      group.waiting.push({ since: performance.now(), begin: () => resolve(begin(group)), refuse })
      line.add(group)
      if (watch) return
      endedAt = performance.now()
      watch = setInterval(look, lateMs / 4).unref()
    })

  return async (organization, work) => {
    const group = groupOf(organization, performance.now())
    const isFree = underWay.size < total && group.waiting.length === 0 && group.working < share()
    const turn = isFree ? begin(group) : await wait(group)
    try {
      return await work()
    } finally {
      endedAt = performance.now()
      end(turn)
    }
  }
}
