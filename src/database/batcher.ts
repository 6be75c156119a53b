// Batcher (group commit): items of one kind that arrive while others are being sent are sent together, in one statement or transaction.
//
// Without it, creating contacts with an Idempotency-Key (W3) takes 1.9 times the server CPU.

import pMap from 'p-map'
import { AppError } from '../kernel/errors.ts'
import { type Active, activeSpan, withSpan } from '../kernel/tracing/span.ts'
import { sqlState } from './errors.ts'

/** Sends all items or none. Resolves with the results in the order of the items. */
export type SendBatch<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>

// The number of batches at once: one is collected, one is written, one waits for its commit. More would only make the batches smaller, and
// fewer make items wait for the commit of others.
const defaultConcurrency = 3
// The maximum size of a batch. In a larger one, the first item would wait for the last longer than batching saves.
const maxItems = 64
// The number of items sent at once when a failed batch is repeated one by one. Even with three such batches, the pool has connections left
// for others.
const repeatedAtOnce = 4

/**
 * Returns a function that sends one item. When a batch fails, each of its items is sent again alone, so that a failing item does not affect
 * others. `concurrency`: the number of batches at once; with 1, batches are as large as they can be.
 */
export function batcher<Item, Result>(
  send: SendBatch<Item, Result>,
  { concurrency = defaultConcurrency }: { concurrency?: number } = {},
): (item: Item) => Promise<Result> {
  interface Waiting {
    item: Item
    resolve(result: Result): void
    reject(reason: unknown): void
    span: Active | undefined
  }
  const waiting: Waiting[] = []
  let sending = 0

  const sendAll = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const results = await send(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      if (batch.length > 1 && isRolledBack(error)) await pMap(batch, one => sendAll([one]), { concurrency: repeatedAtOnce })
      else for (const { reject } of batch) reject(error)
    }
  }
  const sendNext = async (): Promise<void> => {
    sending++
    const batch = waiting.splice(0, maxItems)
    // A batch is part of the trace of its first item.
    await withSpan(batch[0]?.span, () => sendAll(batch))
    sending--
    if (waiting.length > 0) void sendNext()
  }

  return item =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject, span: activeSpan() })
      // Deferred to later in this turn of the event loop, so that items that arrive in the same turn share a batch.
      if (waiting.length === 1 && sending < concurrency)
        setImmediate(() => {
          if (waiting.length > 0) void sendNext()
        })
    })
}

// After a lost connection it is unknown whether the batch was committed, and repeating it could write twice. A deadlock (class 40) is
// reported as unavailable too, but was certainly rolled back.
const isRolledBack = (error: unknown): boolean =>
  !(error instanceof AppError && error.code === 'UNAVAILABLE') || sqlState(error.cause)?.startsWith('40') === true
