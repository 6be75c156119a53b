// The end of a run: its reply or error, its summary for the main session and its deliveries, in one transaction.

import { type Context, inTransaction, type Services } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { shorten } from '../../kernel/input/cut.ts'
import type { Channels } from '../channels/channel.ts'
import { chargeRun } from '../charges/charge.ts'
import { planDelivery } from '../delivery/plan.ts'
import { trimPart } from '../delivery/split.ts'
import { postSummary } from '../heartbeat/event.ts'
import { countFailure } from '../heartbeat/heartbeat.sql.ts'
import { workChannel } from '../heartbeat/request.ts'
import { deliverable } from './acknowledgment.ts'
import { type Claim, endLease, renew, workerContext } from './claim.ts'
import { type Run, runEvents } from './row.ts'
import { type Reply, write } from './turn.ts'

const maxSummary = 2000

/** Stores the reply and plans its delivery. Throws LeaseLost. */
export async function completeRun(services: Services, channels: Channels, claim: Claim, reply: Reply): Promise<void> {
  const { run } = claim
  await finish(services, claim, async context => {
    const text = trimPart(reply.text)
    if (text !== '') await write(context, claim, reply.step, [{ role: 'assistant', text }])
    const summary = run.kind === 'hook' ? summaryOf(run, text || '(no reply)') : null
    const now = context.now()
    const { prisma } = context.db
    await prisma.gatewayRun.update({
      where: { id: run.id },
      data: {
        status: 'completed',
        reply: text,
        summary,
        steps: reply.step,
        inputTokens: { increment: reply.inputTokens },
        outputTokens: { increment: reply.outputTokens },
        finishedAt: now,
      },
    })
    await chargeRun(context, run, { isCompleted: true })
    if (run.kind === 'heartbeat') {
      await prisma.gatewayEvent.updateMany({ where: { heartbeatId: run.id }, data: { seenAt: now } })
      await prisma.gatewaySession.update({ where: { id: run.sessionId }, data: { heartbeatFailures: 0, heartbeatNotBefore: null } })
    } else if (summary !== null) await postSummary(context, { text: summary, mode: run.wakeMode, name: run.name ?? 'hook', runId: run.id })
    const news = run.deliver ? deliverable(text) : null
    if (news !== null) await planDelivery(context, channels, run, news)
    await recordEvent(context, { type: runEvents.completed, entityId: run.id, changes: { kind: run.kind } })
  })
}

/** Stores the reason of the failure. The events of a heartbeat are queued again. Throws LeaseLost. */
export const failRun = (services: Services, claim: Claim, reason: string) => finishAsFailed(services, claim, reason, requeueEvents)

/** The same, for a run at which too many processes died: an event of a heartbeat that may be the cause is not queued for ever. */
export const giveUpRun = (services: Services, claim: Claim, reason: string) => finishAsFailed(services, claim, reason, isolateEvents)

async function requeueEvents({ db }: Context, { id }: Run): Promise<void> {
  await db.prisma.gatewayEvent.updateMany({ where: { heartbeatId: id }, data: { heartbeatId: null } })
}

// Queues each of several events again for a heartbeat of its own, so that only the event at which processes die is given up.
async function isolateEvents(context: Context, { id }: Run, reason: string): Promise<void> {
  const { prisma } = context.db
  const where = { heartbeatId: id }
  const count = await prisma.gatewayEvent.count({ where })
  if (count > 1) await prisma.gatewayEvent.updateMany({ where, data: { heartbeatId: null, isSuspect: true } })
  else if (count === 1) {
    await prisma.gatewayEvent.updateMany({ where, data: { seenAt: context.now() } })
    const text = `A heartbeat failed: ${reason}. Its event is not tried again; the run shows it.`
    await postSummary(context, { text, mode: 'next_heartbeat', name: 'heartbeat', runId: id })
  }
}

async function finishAsFailed(
  services: Services,
  claim: Claim,
  reason: string,
  afterHeartbeat: (context: Context, run: Run, reason: string) => Promise<void>,
): Promise<void> {
  const { run } = claim
  await finish(services, claim, async context => {
    const now = context.now()
    const { prisma } = context.db
    const summary = run.kind === 'hook' ? summaryOf(run, `failed: ${reason}`) : null
    await prisma.gatewayRun.update({ where: { id: run.id }, data: { status: 'failed', error: reason, summary, finishedAt: now } })
    await chargeRun(context, run, { isCompleted: false })
    if (run.kind === 'heartbeat') {
      await afterHeartbeat(context, run, reason)
      await context.db.query(countFailure, [run.sessionId, now.toISOString()])
    } else if (summary !== null) await postSummary(context, { text: summary, mode: run.wakeMode, name: run.name ?? 'hook', runId: run.id })
    await recordEvent(context, { type: runEvents.failed, entityId: run.id, changes: { kind: run.kind, error: reason } })
  })
}

async function finish(services: Services, claim: Claim, work: (context: Context) => Promise<void>): Promise<void> {
  const context = workerContext(services, claim.run.orgId, claim.run.id)
  await services.database.transaction(async db => {
    // Locks the session before the run, in the order in which a cancellation does.
    await renew(inTransaction(context, db), claim)
    await work(inTransaction(context, db))
    await endLease(db, claim)
    // The next run of this session can be claimed.
    await db.afterCommit(() => services.notifier.notify(workChannel))
  })
}

function summaryOf({ name }: Run, text: string): string {
  return shorten(`Hook${name === null ? '' : ` ${name}`}: ${text}`, maxSummary)
}
