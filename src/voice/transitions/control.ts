// Call control: ending a call, and leaving a message on an answering machine.

import { type Context, organizationOf, type Services } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { inTwoSteps } from '../../kernel/idempotency/idempotency.ts'
import { isId } from '../../kernel/ids.ts'
import { handlerOf } from '../../kernel/queue/handler.ts'
import { callById } from '../calls/call.sql.ts'
import type { Call, CallRecord } from '../calls/row.ts'
import { changeCall, closing } from '../dispatch/dispatch.ts'
import { filledText, placedCall } from '../dispatch/placed-call.ts'
import { controlItem, controlLater } from '../dispatch/queue.ts'
import { systemContext } from '../system-context.ts'
import { endsWithin } from '../time-limit.ts'
import { advance, isOver, isWaiting } from './state.ts'
import { applyTransition, lockCall, readRecord, type Transition } from './transition.ts'

/**
 * Ends a call: a waiting call is never dialled, a dialled call is ended at its provider. Canceling again changes nothing. Throws CONFLICT
 * for a call that has ended in another way.
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
      const ending = hangUp(services, orgId, id).catch(() => false)
      await endsWithin(withinMs, ending)
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
    // A call that was canceled after it was answered is `completed`.
    if (call.status === 'canceled' || call.endedReason === 'canceled') return call
    throw new AppError('CONFLICT', `The call is ${call.status} already`, { currentStatus: call.status })
  }
  const now = context.now()
  if (isWaiting(call.dispatchState))
    return applyTransition(
      context,
      call,
      closing(call, { status: 'canceled', outcome: 'unknown', endedReason: 'canceled' }, now, 'canceled'),
    )
  // A call that is being dialled is ended after its dial. Others are ended by the request, or by this queue item if its process dies.
  if (call.dispatchState !== 'dispatching') await controlLater(context, call, 'hang_up', 5)
  return applyTransition(context, call, { change: { cancelRequestedAt: call.cancelRequestedAt ?? now.toISOString() } })
}

/** Ends a call at its provider. False if the provider could not be reached, so that the caller tries again. */
export async function hangUp(services: Services, orgId: string, id: string): Promise<boolean> {
  const call = await readRecord(services, orgId, id)
  const provider = call && services.telephony[call.provider]
  if (!call || !provider || call.providerCallId === null) return true
  const context = systemContext(services, orgId, 'hangUp')
  if (!(await provider.hangUp(await placedCall(context, call)))) return false
  await changeCall(context, call.id, { decide: current => hungUp(current, context.now()) })
  return true
}

function hungUp(call: CallRecord, now: Date): Transition | null {
  if (isOver(call.status)) return null
  const news = advance(call, { status: call.answeredAt === null ? 'canceled' : 'completed' }, now)
  // Ours, so that it stays when the provider reports the end too.
  const endedReason = call.cancelRequestedAt === null ? 'hung_up' : 'canceled'
  return news && { change: { ...news.state, endedReason } }
}

/** Leaves the call's message on the answering machine, if there is a message and the call has not ended. Resolves like `hangUp`. */
export async function leaveMessage(services: Services, orgId: string, id: string): Promise<boolean> {
  const call = await readRecord(services, orgId, id)
  const provider = call && services.telephony[call.provider]
  if (!call || !provider || isOver(call.status) || call.voicemail.message === null || !provider.leaveMessage) return true
  const context = systemContext(services, orgId, 'leaveMessage')
  return provider.leaveMessage(await placedCall(context, call), await filledText(context, call, call.voicemail.message))
}

export const controlHandler = handlerOf(controlItem, async (services, { payload: { orgId, callId, act } }) => {
  const done = await (act === 'hang_up' ? hangUp(services, orgId, callId) : leaveMessage(services, orgId, callId))
  if (!done) throw new Error('The provider could not be asked')
})
