// The position of the primary's log, for reads that must not be older than the writes acknowledged before them.

import { batcher } from '../batcher.ts'
import type { Queries } from '../queries.ts'
import { clusterOf, storedPosition } from './position.sql.ts'

interface Position {
  position: number
  timeline: string
}

export interface PrimaryLog {
  /**
   * A position that includes every write acknowledged before the call. Concurrent calls share a statement, which is sent after each of
   * them: many reads cost the primary one short statement.
   */
  position(): Promise<Position>
  /** The identifier of the primary's cluster. */
  cluster(): Promise<string | undefined>
}

export function createPrimaryLog(primary: Queries): PrimaryLog {
  const ask = batcher<undefined, Position>(
    async asking => {
      const [stored] = await primary.query(storedPosition)
      if (!stored) throw new Error('PostgreSQL has no position of its log')
      return asking.map(() => stored)
    },
    { concurrency: 2 },
  )
  return {
    position: () => ask(undefined),
    async cluster() {
      const [row] = await primary.query(clusterOf)
      return row?.identifier
    },
  }
}
