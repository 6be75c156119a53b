// Whether the organization's calls wait because nothing works on them.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { selectWaiting } from './dispatch.sql.ts'

export interface WaitingWork {
  /** Whether any process with the role worker is connected to the database. */
  isWorkerAlive: boolean
  /** Since when the call that waits longest could have been dialled; null when none is due. */
  callsDueSince: string | null
}

/** The waiting work of the organization. One statement by an index, which reads the connections of the database too. */
export async function readWaitingWork(context: Context): Promise<WaitingWork> {
  const [waiting] = await context.db.query(selectWaiting, [organizationOf(context), context.now().toISOString()])
  return waiting ?? { isWorkerAlive: false, callsDueSince: null }
}
