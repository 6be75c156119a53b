// The poll loop: looks for due work at an interval and whenever it is notified. The worker on top of it claims items and works on several
// at once. Tasks need neither, because pg-boss polls its own tables; it cannot poll ours.

import { setTimeout as sleep } from 'node:timers/promises'

export interface PollLoop {
  /** Polls now. While a poll is in progress, which may have read too early, another one follows it. */
  notify(): void
  /** The same; resolves when that poll has ended, and rejects with its error. */
  poll(): Promise<void>
  /** Begins no further poll. Resolves when the one in progress has ended. */
  stop(): Promise<void>
}

interface Polling {
  /** From the end of a poll to the next one. Up to a tenth less, so that processes that were started together do not poll together. */
  intervalMs: number
  /** Never called again before it has resolved. */
  poll(): Promise<void>
  /** Told the errors of all polls but those that were begun by `PollLoop.poll`. */
  onError(error: unknown): void
}

// After each error the interval doubles, up to 5 s: longer, and work waits noticeably when the database is back.
const maxBackoffMs = 5000

/** Begins with a poll after `intervalMs`. The timer does not keep the process alive. */
export function startPolling({ intervalMs, poll, onError }: Polling): PollLoop {
  let current: Promise<void> | undefined
  let following: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let isStopped = false

  const schedule = () => {
    if (isStopped) return
    const ms = Math.max(intervalMs, Math.min(intervalMs * 2 ** failures, maxBackoffMs))
    timer = setTimeout(notify, ms * (1 - Math.random() / 10)).unref()
  }
  const pollOnce = async () => {
    clearTimeout(timer)
    try {
      await poll()
      failures = 0
    } catch (error) {
      failures++
      throw error
    } finally {
      current = undefined
      schedule()
    }
  }
  const begin = async (): Promise<void> => {
    if (isStopped) return
    if (!current) {
      current = pollOnce()
      return current
    }
    following ??= current
      .catch(() => {})
      .then(() => {
        following = undefined
        return begin()
      })
    return following
  }
  const notify = () => {
    // The poll that follows reports its own error.
    if (!following) begin().catch(onError)
  }
  schedule()

  return {
    notify,
    poll: begin,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await current?.catch(() => {})
    },
  }
}

export interface Worker {
  /** Claims now, rather than at the next poll. */
  notify(): void
  /**
   * Claims no more, and waits at most so long for the items in progress. After three quarters of the time their signal aborts, so that the
   * rest of it is left for returning them to the queue.
   */
  stop(graceMs: number): Promise<void>
}

interface Work<Item> {
  intervalMs: number
  /** The maximum number of items in progress. */
  concurrency: number
  /** Claims at most so many items; none if nothing is due. */
  claim(limit: number): Promise<readonly Item[]>
  /** Works on an item. The signal aborts when the process stops: what cannot be finished returns the item to the queue. */
  work(item: Item, signal: AbortSignal): Promise<void>
  /** Returns an item to the queue that was claimed while the process began to stop. */
  giveBack(item: Item): Promise<void>
  /** Told the errors of `claim`, and with the item those of `work`. */
  onError(error: unknown, item?: Item): void
}

/** Claims at once, and from then on at each poll, at each notification, and when an item is finished. */
export function startWorker<Item>({ intervalMs, concurrency, claim, work, giveBack, onError }: Work<Item>): Worker {
  const cut = new AbortController()
  const running = new Set<Promise<void>>()
  let isStopping = false

  const begin = (item: Item) => {
    const done = work(item, cut.signal)
      .catch(error => onError(error, item))
      .finally(() => {
        running.delete(done)
        claiming.notify()
      })
    running.add(done)
  }
  const claiming = startPolling({
    intervalMs,
    onError: error => onError(error),
    async poll() {
      while (running.size < concurrency && !isStopping) {
        const items = await claim(concurrency - running.size)
        if (items.length === 0) return
        if (isStopping) await Promise.all(items.map(giveBack))
        else items.forEach(begin)
      }
    },
  })
  claiming.notify()

  return {
    notify: claiming.notify,
    async stop(graceMs) {
      isStopping = true
      // A claim in progress first: what it returned after the stop would otherwise stay claimed.
      const allDone = async () => {
        await claiming.stop()
        await Promise.all(running)
      }
      await Promise.race([allDone(), sleep(graceMs * 0.75, undefined, { ref: false })])
      cut.abort(new Error('the process stops'))
      await Promise.race([allDone(), sleep(graceMs * 0.25, undefined, { ref: false })])
    },
  }
}
