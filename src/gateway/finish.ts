// The end of a run: its reply, its summary in the main session and what is to be delivered, in one transaction.

import { type Context, inTransaction, type Services } from '../context.ts'
import { statement } from '../database/client.ts'
import { recordEvent } from '../events.ts'
import { isAcknowledgment } from './acknowledgment.ts'
import type { Channels } from './channels.ts'
import { chargeRun } from './charge.ts'
import { type Claim, letGo, workingOn } from './claim.ts'
import { planDelivery } from './delivery.ts'
import { postSummary } from './event.ts'
import { workChannel } from './heartbeat-bell.ts'
import type { Run } from './run.sql.ts'
import { type Reply, write } from './turn.ts'

const complete = statement<never>(
  'gateway_complete_run',
  `update gateway_runs set status = 'completed', reply = $2, summary = $3, steps = $4, input_tokens = input_tokens + $5,
     output_tokens = output_tokens + $6, finished_at = $7 where id = $1`,
)
const fail = statement<never>(
  'gateway_fail_run',
  `update gateway_runs set status = 'failed', error = $2, summary = $3, finished_at = $4 where id = $1`,
)
const markSeen = statement<never>('gateway_mark_seen', 'update gateway_events set seen_at = $2 where heartbeat_id = $1')
const requeue = statement<never>('gateway_requeue_events', 'update gateway_events set heartbeat_id = null where heartbeat_id = $1')
const heartbeatWorked = statement<never>(
  'gateway_heartbeat_worked',
  'update gateway_sessions set heartbeat_failures = 0, heartbeat_not_before = null where id = $1',
)
const heartbeatFailed = statement<never>(
  'gateway_heartbeat_failed',
  `update gateway_sessions set heartbeat_failures = heartbeat_failures + 1,
     heartbeat_not_before = $2::timestamptz + least(1800, 5 * power(2, least(heartbeat_failures, 10))) * interval '1 second' where id = $1`,
)

const longestSummary = 2000

/** Writes down what the turn came to. Throws LeaseLost. */
export async function completeRun(services: Services, channels: Channels, claim: Claim, reply: Reply): Promise<void> {
  const { run } = claim
  await finish(services, claim, async context => {
    const text = reply.text.trim()
    if (text !== '') await write(context, claim, reply.step, [{ role: 'assistant', text }])
    const summary = run.kind === 'hook' ? summaryOf(run, text || '(no reply)') : null
    const now = context.now().toISOString()
    await context.db.query(complete, [run.id, text, summary, reply.step, reply.inputTokens, reply.outputTokens, now])
    await chargeRun(context, run, { isCompleted: true })
    if (run.kind === 'heartbeat') {
      await context.db.query(markSeen, [run.id, now])
      await context.db.query(heartbeatWorked, [run.sessionId])
    } else if (summary !== null) await postSummary(context, { text: summary, mode: run.wakeMode, name: run.name ?? 'hook', runId: run.id })
    if (run.deliver && !isAcknowledgment(text)) await planDelivery(context, channels, run, text)
    await recordEvent(context, { type: 'agent_run.completed', entityId: run.id, changes: { kind: run.kind } })
  })
}

/** Writes down why there is no reply. The events of a heartbeat wait for the next. Throws LeaseLost. */
export async function failRun(services: Services, claim: Claim, reason: string): Promise<void> {
  const { run } = claim
  await finish(services, claim, async context => {
    const now = context.now().toISOString()
    const summary = run.kind === 'hook' ? summaryOf(run, `failed: ${reason}`) : null
    await context.db.query(fail, [run.id, reason, summary, now])
    await chargeRun(context, run, { isCompleted: false })
    if (run.kind === 'heartbeat') {
      await context.db.query(requeue, [run.id])
      await context.db.query(heartbeatFailed, [run.sessionId, now])
    } else if (summary !== null) await postSummary(context, { text: summary, mode: run.wakeMode, name: run.name ?? 'hook', runId: run.id })
    await recordEvent(context, { type: 'agent_run.failed', entityId: run.id, changes: { kind: run.kind, error: reason } })
  })
}

async function finish(services: Services, claim: Claim, work: (context: Context) => Promise<void>): Promise<void> {
  const context = workingOn(services, claim.run.orgId, claim.run.id)
  await services.database.transaction(async db => {
    await work(inTransaction(context, db))
    await letGo(db, claim)
    // The next run of this session can begin.
    await db.afterCommit(() => services.bell.ring(workChannel))
  })
}

function summaryOf({ name }: Run, text: string): string {
  const summary = [...`Hook${name === null ? '' : ` ${name}`}: ${text}`]
  return summary.length > longestSummary ? `${summary.slice(0, longestSummary - 1).join('')}…` : summary.join('')
}
