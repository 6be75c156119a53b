// Answers a carrier that asks how a call goes on, because the socket of its conversation has closed.

import type { Context } from '../../../kernel/context.ts'
import { placedCall } from '../../dispatch/placed-call.ts'
import { type IncomingEvent, verifiedMessage } from '../../events/event.ts'
import { systemContext } from '../../system-context.ts'
import { readRecord } from '../../transitions/transition.ts'
import { relayUrl } from './address.ts'
import { concludeOver } from './left.ts'
import { freeLine, reopenLine } from './line.ts'

/**
 * The next instructions for the call, as XML: another socket while the conversation goes on, else the end. Throws UNAUTHENTICATED if the
 * provider did not sign the question.
 */
export async function nextStepOf(context: Context, incoming: IncomingEvent): Promise<string> {
  const { services } = context
  const { provider, message } = await verifiedMessage(context, incoming)
  if (!provider.relay) return ''
  const { callId, isOver } = provider.relay.callIn(message)
  if (callId === null) return provider.relay.continueWith({ kind: 'hang_up' })
  await freeLine(services, callId)
  const row = await services.database.prisma.conversation.findUnique({ where: { callId } })
  if (!row) return provider.relay.continueWith({ kind: 'hang_up' })
  const call = await readRecord(services, row.orgId, callId)
  if (isOver || !call) {
    await concludeOver(services, row.orgId, row.id)
    return provider.relay.continueWith({ kind: 'hang_up' })
  }
  if (row.transferTo !== null)
    return provider.relay.continueWith({ kind: 'transfer', toNumber: row.transferTo, fromNumber: call.fromNumber })
  const token = await reopenLine(services, callId)
  if (token === null) return provider.relay.continueWith({ kind: 'hang_up' })
  const { agent } = await placedCall(systemContext(services, row.orgId, 'converse'), call)
  return provider.relay.continueWith({ kind: 'reopen', callId, agent, relayUrl: relayUrl(services.config, token) })
}
