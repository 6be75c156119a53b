// Followers of the outbox: each has a bounded queue of events that it has not read yet.

import type { OutboxEvent } from './event.sql.ts'
import type { Position } from './position.ts'

/** The signals that a resuming follower receives besides events, and their meaning. */
export const signals = [
  { type: 'following', description: 'The stream begins here, every later change follows. Resume after its id.' },
  {
    type: 'read_afresh',
    description: 'Changes were missed that can no longer be delivered. Read again what you show; later changes follow.',
  },
] as const
export type Signal = (typeof signals)[number]['type']

/** An event, or a signal. A follower that resumes at the position receives the items after it. */
export type Item = { event: OutboxEvent; position: Position } | { event: null; signal: Signal; position: Position }

// Per follower. More than a page shows; a thousand followers with full queues still fit into memory.
export const maxWaiting = 1000

/**
 * The items of one follower, oldest first. A follower that falls behind receives `read_afresh`. Not a generator, because a generator that is waiting cannot be stopped.
 */
export class Follower implements AsyncIterableIterator<Item> {
  #backlog: Item[] = []
  readonly #items: Item[] = []
  /** Whether the follower receives the event. Other events do not count towards the limit of its queue. */
  readonly wants: (event: OutboxEvent) => boolean
  readonly #ended: () => void
  #readers: PromiseWithResolvers<IteratorResult<Item>>[] = []
  #isOver = false

  constructor(wants: (event: OutboxEvent) => boolean, ended: () => void) {
    this.wants = wants
    this.#ended = ended
  }

  push(item: Item): void {
    const reader = this.#readers.shift()
    if (reader) reader.resolve({ done: false, value: item })
    else if (this.#items.push(item) > maxWaiting) this.tellMissed(item.position)
  }

  /**
   * Puts the items before those pushed so far. They do not count towards the limit, because a full backlog would reach it at the next
   * event.
   */
  begin(items: readonly Item[]): void {
    this.#backlog = [...items]
  }

  /** Drops the queue, then sends `read_afresh` at the position. */
  tellMissed(position: Position): void {
    this.#clear()
    this.push({ event: null, signal: 'read_afresh', position })
  }

  /** Ends the follower after it has read the queued items. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#ended()
    for (const reader of this.#readers.splice(0)) reader.resolve(this.next())
  }

  async next(): Promise<IteratorResult<Item>> {
    const item = this.#backlog.shift() ?? this.#items.shift()
    if (item) return { done: false, value: item }
    if (!this.#isOver) {
      const reader = Promise.withResolvers<IteratorResult<Item>>()
      this.#readers.push(reader)
      return reader.promise
    }
    return { done: true, value: undefined }
  }

  async return(): Promise<IteratorResult<Item>> {
    this.#clear()
    this.end()
    return { done: true, value: undefined }
  }

  #clear(): void {
    this.#backlog = []
    this.#items.length = 0
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

/**
 * An iterator over the rows that `rowsOf` makes of each item. It ends as soon as the consumer returns, which an async generator would not.
 */
export function mapItems<From, To>(
  items: AsyncIterableIterator<From>,
  rowsOf: (item: From) => readonly To[] | Promise<readonly To[]>,
): AsyncIterableIterator<To> {
  const rows: To[] = []
  const iterator: AsyncIterableIterator<To> = {
    async next() {
      for (;;) {
        const row = rows.shift()
        if (row !== undefined) return { done: false, value: row }
        const { done, value } = await items.next()
        if (done) return { done, value: undefined }
        rows.push(...(await rowsOf(value)))
      }
    },
    // An async generator would handle `return` only after its next item, so a client that disconnects would stay subscribed until then.
    async return() {
      await items.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => iterator,
  }
  return iterator
}
