// Connections that short reads share. Their statements are sent without waiting for earlier answers (pipelining), so a read neither waits
// for the pool nor wakes a backend of its own. Without them, a page of contacts (W1) takes 23 % more server CPU, a voice agent by id (W2)
// 19 % more.

import type pg from 'pg'
import { holdWrites } from './connection.ts'

type Answer = (error: Error | null | undefined, result: never) => void

/** A shared connection. `underWay`: the number of statements that are not answered yet. */
class SharedConnection {
  readonly client: pg.PoolClient
  underWay = 0
  #isHeld = false

  constructor(client: pg.PoolClient) {
    this.client = client
  }

  /** Like pg's `query`, for a query object. */
  query(query: pg.Submittable, answer: Answer): void {
    this.underWay++
    this.#holdForThisTurn()
    const countAnswer: Answer = (error, result) => {
      this.underWay--
      answer(error, result)
    }
    // pg accepts a callback for query objects too; its types declare it only for texts.
    ;(this.client as unknown as { query(query: pg.Submittable, answer: Answer): void }).query(query, countAnswer)
  }

  // Requests that arrive in one turn of the event loop share a write: under load, a page of contacts (W1) takes 1.5 writes then in place of
  // 2.1, and 15 % less server CPU.
  #holdForThisTurn(): void {
    if (this.#isHeld) return
    this.#isHeld = true
    const release = holdWrites(this.client)
    setImmediate(() => {
      this.#isHeld = false
      release()
    })
  }
}

export interface SharedConnections {
  /**
   * The connection with the fewest running statements. Undefined when each has `maxUnderWay` or none is open; then the read uses the pool.
   */
  free(): SharedConnection | undefined
  /** Releases the connections to the pool. */
  close(): void
}

// The maximum number of statements on one connection. Further reads use the pool, whose queue has a timeout.
const maxUnderWay = 8

/** Takes at most `maxConnections` connections from the pool, the next one when the others are busy, and keeps them until `close`. */
export function shareConnections(pool: pg.Pool, maxConnections: number): SharedConnections {
  let connections: SharedConnection[] = []
  let isOpening = false
  let isClosed = false

  // pg has already failed the running statements. Later reads use other connections.
  const lose = (shared: SharedConnection) => {
    // After close() the pool handles the failure.
    if (!connections.includes(shared)) return
    connections = connections.filter(other => other !== shared)
    shared.client.release(true)
  }

  const open = async () => {
    isOpening = true
    try {
      const client = await pool.connect()
      if (isClosed) return client.release()
      const shared = new SharedConnection(client)
      connections.push(shared)
      client.on('error', () => lose(shared))
    } catch {
      // An error is reported by the read, which then uses the pool.
    } finally {
      isOpening = false
    }
  }

  return {
    free() {
      let least: SharedConnection | undefined
      for (const shared of connections) if (!least || shared.underWay < least.underWay) least = shared
      if (connections.length < maxConnections && !isOpening && !isClosed && (!least || least.underWay > 0)) void open()
      return least && least.underWay < maxUnderWay ? least : undefined
    },
    close() {
      isClosed = true
      for (const { client } of connections) client.release()
      connections = []
    },
  }
}
