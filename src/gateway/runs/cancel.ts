// Canceling a run: it fails with that reason, and its worker, which has lost the lease, writes no more.

import { type Context, inTransaction } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { actorOf } from '../../kernel/principal.ts'
import { chargeRun } from '../charges/charge.ts'
import { workChannel } from '../heartbeat/request.ts'
import { gatewayOf } from '../organization.ts'
import { findRuns, type Run, runEvents } from './row.ts'
import { breakLease } from './run.sql.ts'
import { getRun } from './run.ts'

/**
 * Ends a run of a hook or a user that has not ended yet. A model that is being asked is interrupted within 5 s; a tool that is at work ends
 * its work. Throws NOT_FOUND, and CONFLICT for a run that is over and for a heartbeat.
 */
export async function cancelRun(context: Context, id: string): Promise<Run> {
  const orgId = await gatewayOf(context)
  await getRun(context, id)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    // The session is locked first, as by workers.
    await db.query(breakLease, [orgId, id, context.now().toISOString()])
    const [run] = await findRuns(db, { where: { orgId, id } })
    if (!run || run.kind !== 'hook' || (run.status !== 'accepted' && run.status !== 'running'))
      throw new AppError(
        'CONFLICT',
        `Run ${id} is ${run?.kind === 'heartbeat' ? 'a heartbeat' : 'over'}; only an open run of a hook can be canceled`,
      )
    const error = `Canceled by ${actorOf(context.principal).name ?? 'a user'}`
    await db.prisma.gatewayRun.update({ where: { id }, data: { status: 'failed', error, finishedAt: context.now() } })
    await chargeRun(tx, run, { isCompleted: false })
    await recordEvent(tx, { type: runEvents.failed, entityId: id, changes: { kind: run.kind, error } })
    // The next run of the session can be claimed.
    await db.afterCommit(() => context.services.notifier.notify(workChannel))
    return getRun(tx, id)
  })
}
