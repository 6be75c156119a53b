// What is done to a call that is out: ending it, or speaking into the machine that answered.

import { isId } from '../contacts/page.ts'
import { type Context, organizationOf, type Services } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError, notFound } from '../errors.ts'
import { inTwoSteps } from '../once.ts'
import { onBehalfOf } from './acting.ts'
import { callById } from './call.sql.ts'
import { closing, moving } from './call-dispatch.ts'
import { lockCall, type Move, moveCall } from './call-move.ts'
import { type Call, type CallRecord, recordColumns, recordRow } from './call-row.ts'
import { advance, isOver, isWaiting } from './call-state.ts'
import { actSoon } from './call-tasks.ts'
import { placedCall } from './placed-call.ts'

/**
 * Ends a call: one that waits is never dialled, one that is out is ended at its provider. Canceling again changes nothing. Throws CONFLICT
 * for a call that is over otherwise.
 */
export function cancelCall(context: Context, id: string): Promise<Call> {
  const orgId = organizationOf(context)
  const { services } = context
  const withinMs = services.config.VOICE_DISPATCH_WAIT_MS
  return inTwoSteps<Call>(
    context,
    inside => requestCancel(inside, orgId, id),
    async (outside, call) => {
      if (isOver(call.status) || call.providerCallId === null) return call
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, withinMs)
      await Promise.race([hangUp(services, orgId, id).catch(() => false), late])
      clearTimeout(timer)
      const [current] = await outside.db.query(callById, [orgId, id])
      return current ?? call
    },
    withinMs,
  )
}

async function requestCancel(context: Context, orgId: string, id: string): Promise<Call> {
  const call = isId(id) ? await lockCall(context, orgId, id) : null
  if (!call) throw notFound('call', id)
  if (isOver(call.status)) {
    // Also of one that was answered, and then ended by a cancel.
    if (call.status === 'canceled' || call.endedReason === 'canceled') return call
    throw new AppError('CONFLICT', `The call is ${call.status} already`, { status: call.status })
  }
  const now = context.now()
  if (isWaiting(call.dispatchState))
    return moveCall(context, call, closing(call, { status: 'canceled', outcome: 'unknown', endedReason: 'canceled' }, now, 'canceled'))
  // A dial under way ends the call itself when it has come back; the task is for one that is out, and for a process that dies.
  if (call.dispatchState !== 'dispatching') await actSoon(context, call, 'hang_up', 5)
  return moveCall(context, call, { change: { cancelRequestedAt: call.cancelRequestedAt ?? now.toISOString() } })
}

const selectRecord = statement<CallRecord>(
  'call_record',
  `select ${recordColumns('calls')} from calls where org_id = $1 and id = $2`,
  recordRow,
)

/** The call as it is, with everything that its moves depend on. */
export async function readRecord(services: Services, orgId: string, id: string): Promise<CallRecord | null> {
  const [call] = await services.database.query(selectRecord, [orgId, id])
  return call ?? null
}

/** Ends a call at its provider. False when the provider could not be asked: try again. */
export async function hangUp(services: Services, orgId: string, id: string): Promise<boolean> {
  const call = await readRecord(services, orgId, id)
  const provider = call && services.telephony[call.provider]
  if (!call || !provider || call.providerCallId === null) return true
  const context = onBehalfOf(services, orgId, 'hangUp')
  if (!(await provider.hangUp(await placedCall(context, call)))) return false
  await moving(context, orgId, id, current => hungUp(current, context.now()))
  return true
}

function hungUp(call: CallRecord, now: Date): Move | null {
  if (isOver(call.status)) return null
  const news = advance(
    call,
    {
      status: call.answeredAt === null ? 'canceled' : 'completed',
      endedReason: call.cancelRequestedAt === null ? 'hung_up' : 'canceled',
      endedAt: now,
    },
    now,
  )
  return news && { change: news.state }
}

/** Speaks the call's message into the machine that answered, where there is a message and a call yet. */
export async function leaveMessage(services: Services, orgId: string, id: string): Promise<boolean> {
  const call = await readRecord(services, orgId, id)
  const provider = call && services.telephony[call.provider]
  if (!call || !provider || isOver(call.status) || call.voicemail.message === null || !provider.leaveMessage) return true
  return provider.leaveMessage(await placedCall(onBehalfOf(services, orgId, 'leaveMessage'), call), call.voicemail.message)
}
