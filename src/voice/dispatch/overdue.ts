// Dispatches the calls whose process died before it dialled them.

import type { Services } from '../../kernel/context.ts'
import { type PollLoop, startPolling } from '../../kernel/queue/poll-loop.ts'
import { selectDue } from './dispatch.sql.ts'
import { dispatch } from './dispatch.ts'

// 5 s, and after at least 10 s of waiting: with less, this competes with the request that dials; with more, a call of a dead process waits
// noticeably. One statement for all calls, where a queue item for each would cost as much as a step of its call.
const intervalMs = 5_000
const overdueMs = 10_000

/** Starts to dispatch overdue calls. Calls that wait for a slot are overdue too: a pass for their organization finds none free. */
export function startOverdueDispatch(services: Services): PollLoop {
  const { database, log, now } = services
  return startPolling({
    intervalMs,
    async poll() {
      const overdue = await database.query(selectDue, [new Date(now().getTime() - overdueMs).toISOString()])
      for (const { orgId } of overdue) await dispatch(services, orgId)
    },
    onError: error => log.warn({ err: error }, 'overdue calls could not be looked for; the next round will'),
  })
}
