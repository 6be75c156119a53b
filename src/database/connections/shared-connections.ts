// Connections that short reads share. Their statements follow each other without waiting for answers (PostgreSQL's pipelining), so a
// read costs neither a turn of the pool nor a wake-up of a process of its own: a sixth of what a page costs this process to ask for.

import type pg from 'pg'

type Answer = (error: Error | null | undefined, result: never) => void

/** One of them. It counts the statements that are not answered yet. */
export class SharedConnection {
  readonly client: pg.PoolClient
  underWay = 0

  constructor(client: pg.PoolClient) {
    this.client = client
  }

  /** As pg's own, for a query object. */
  query(query: pg.Submittable, answer: Answer): void {
    this.underWay++
    const counted: Answer = (error, result) => {
      this.underWay--
      answer(error, result)
    }
    // pg calls back whom it is given, for query objects as well; its types say so only of texts.
    ;(this.client as unknown as { query(query: pg.Submittable, answer: Answer): void }).query(query, counted)
  }
}

export interface SharedConnections {
  /** The one with the least to do; undefined where each has enough, or none could be had: the pool is asked then. */
  free(): SharedConnection | undefined
  /** Gives them back to the pool. */
  close(): void
}

// 8: what comes later has the pool, whose queue ends in an answer instead of a long wait.
const mostUnderWay = 8

/** At most `most` connections of the pool, each taken for good when the ones before it are busy. */
export function shareConnections(pool: pg.Pool, most: number): SharedConnections {
  let connections: SharedConnection[] = []
  let isOpening = false
  let isClosed = false

  // pg has told the statements under way. Other reads go elsewhere, until there is a new one.
  const lose = (shared: SharedConnection) => {
    // Given back already, it is for the pool to lose.
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
      // Whoever asks the pool now is told why.
    } finally {
      isOpening = false
    }
  }

  return {
    free() {
      let least: SharedConnection | undefined
      for (const shared of connections) if (!least || shared.underWay < least.underWay) least = shared
      if (connections.length < most && !isOpening && !isClosed && (!least || least.underWay > 0)) void open()
      return least && least.underWay < mostUnderWay ? least : undefined
    },
    close() {
      isClosed = true
      for (const { client } of connections) client.release()
      connections = []
    },
  }
}
