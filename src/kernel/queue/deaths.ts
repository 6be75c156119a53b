// Work that was running when its process died: a kill, a lack of memory, a power cut. It may be the reason.
//
// The rule, for every kind of work: it is tried again twice. When its process has died three times it fails with that reason, however many
// attempts its own errors would have. A process that stops gives its work back, which counts as nothing. New kinds count in the statement that
// claims again what a dead worker held (see `workers_lost`). Rounds that repeat find their work without claiming it: they do each piece by
// `countingDeaths`.

import type { Queries } from '../../database/client.ts'
import { newId } from '../ids.ts'
import { beginWork, endWork } from './deaths.sql.ts'

/** How many processes may die at one piece of work. */
export const maxDeaths = 3

export const deathReason = `the process that worked on it ended ${maxDeaths} times`

interface Work {
  work(): Promise<unknown>
  /** Ends work at which too many processes died, so that no round finds it again. */
  giveUp(): Promise<unknown>
}

/** Does one piece of work, or gives it up if three processes died at it. Does nothing while another process is at it. */
export async function countingDeaths(db: Queries, id: string, { work, giveUp }: Work): Promise<void> {
  const token = newId()
  const [begun] = await db.query(beginWork, [id, token])
  if (!begun) return
  try {
    await (begun.workersLost >= maxDeaths ? giveUp() : work())
  } finally {
    await db.query(endWork, [id, token])
  }
}
