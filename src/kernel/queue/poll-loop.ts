// The poll loop looks for due work at an interval and when it is notified. The worker, built on it, claims items and works on several at
// once. Queue items use neither: pg-boss polls its own tables, and cannot poll ours.

import { setTimeout as sleep } from 'node:timers/promises'
import { SpanKind } from '@opentelemetry/api'
import { withSpan } from '../tracing/span.ts'
import { inTrace, type Tracing } from '../tracing/tracing.ts'

export interface PollLoop {
  /** Polls now. If a poll is in progress, another one follows it, because the first may have read before the work was written. */
  notify(): void
  /** Like `notify`; resolves when that poll has ended, and rejects with its error. */
  poll(): Promise<void>
  /** Starts no further poll. Resolves when the current one has ended. */
  stop(): Promise<void>
}

interface Polling {
  /**
   * The time from the end of a poll to the next. It varies by up to a tenth less, so that processes started together do not poll together.
   */
  intervalMs: number
  /** Called again only after it has resolved. */
  poll(): Promise<void>
  /** Receives the errors of all polls except those started by `PollLoop.poll`, which rejects with them. */
  onError(error: unknown): void
}

// After each error the interval doubles, up to 5 s. With more, work would wait noticeably after the database has come back.
const maxBackoffMs = 5000

/** Starts the loop. The first poll runs after `intervalMs`. The timer does not keep the process alive. */
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
      // A poll belongs to no trace, though a request may have caused it: those that follow by the timer would belong to it too.
      current = withSpan(undefined, pollOnce)
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
    // Errors of the following poll are reported by that poll.
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
  /** Claims now instead of at the next poll. */
  notify(): void
  /**
   * Stops claiming, and waits at most `graceMs` for the items in progress. After three quarters of the time their signal is aborted; the
   * rest of it is left for returning them to the queue.
   */
  stop(graceMs: number): Promise<void>
}

interface Work<Item> {
  /** Name of an item in traces. */
  name: string
  tracing: Tracing
  intervalMs: number
  /** The maximum number of items in progress. Three times as many may be ending. */
  concurrency: number
  /** Claims at most `limit` items; returns an empty list if nothing is due. */
  claim(limit: number): Promise<readonly Item[]>
  /**
   * Works on an item. The signal is aborted when the process stops: work that cannot be finished returns the item to the queue. `ending` says
   * that all is left is to store the end: others are claimed meanwhile, so that ends can be stored together.
   */
  work(item: Item, signal: AbortSignal, ending: () => void): Promise<void>
  /** Returns an item to the queue, which was claimed while the process began to stop. */
  giveBack(item: Item): Promise<void>
  /** Receives the errors of `claim`, and the errors of `work` together with the item. */
  onError(error: unknown, item?: Item): void
}

// With more, ends would wait for each other where the database is slower than the work.
const endingPerWorking = 3

/** Claims at start, at each poll, at each notification, and when an item is ending or finished. */
export function startWorker<Item>({ name, tracing, intervalMs, concurrency, claim, work, giveBack, onError }: Work<Item>): Worker {
  const cut = new AbortController()
  const running = new Set<Promise<void>>()
  const working = new Set<Item>()
  let isStopping = false

  const room = () => Math.min(concurrency - working.size, concurrency * (1 + endingPerWorking) - running.size)
  const leave = (item: Item) => {
    if (working.delete(item)) claiming.notify()
  }
  const begin = (item: Item) => {
    working.add(item)
    const done = inTrace(
      tracing,
      () => ({ name: `process ${name}`, kind: SpanKind.CONSUMER }),
      () => work(item, cut.signal, () => leave(item)),
    )
      .catch(error => onError(error, item))
      .finally(() => {
        working.delete(item)
        running.delete(done)
        claiming.notify()
      })
    running.add(done)
  }
  const claiming = startPolling({
    intervalMs,
    onError: error => onError(error),
    async poll() {
      while (room() > 0 && !isStopping) {
        const items = await claim(room())
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
      // First waits for a claim in progress: items that it returns after the stop would otherwise stay claimed.
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
