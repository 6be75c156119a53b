// After a socket has closed: a conversation whose call is over is concluded, also if the carrier tells nothing more.

import type { Services } from '../../../kernel/context.ts'
import { handlerOf } from '../../../kernel/queue/handler.ts'
import { queueItem } from '../../../kernel/queue/item.ts'
import { systemContext } from '../../system-context.ts'
import { isOver } from '../../transitions/state.ts'
import { readRecord } from '../../transitions/transition.ts'
import { concludeIn } from '../answer.ts'
import { turnsOfConversation } from '../history.ts'
import { asConversation, type Conversation } from '../row.ts'
import { tellCall } from './tell-call.ts'

interface Left {
  orgId: string
  conversationId: string
}

const leftItem = queueItem<Left>('conversation-left', { retryLimit: 5, retryDelaySeconds: 5, timeoutSeconds: 120, concurrency: 4 })

// 10 s: a lost socket is opened again within a second or two.
const againAfterMs = 10_000

/** Looks after the conversation, unless another socket continues it. */
export async function concludeLater({ queue, now }: Services, { id, orgId, callId, status }: Conversation): Promise<void> {
  if (callId === null || status === 'ended') return
  await queue.enqueue(leftItem, { orgId, conversationId: id }, { startAfter: new Date(now().getTime() + againAfterMs) })
}

/** Concludes the conversation of a call that is over. */
export async function concludeOver(services: Services, orgId: string, conversationId: string): Promise<'over' | 'continues' | 'waits'> {
  const row = await services.database.prisma.conversation.findFirst({ where: { id: conversationId, orgId } })
  if (row?.status !== 'active' || row.callId === null) return 'over'
  if (row.claimedUntil !== null && row.claimedUntil > services.now()) return 'continues'
  const call = await readRecord(services, orgId, row.callId)
  if (call && !isOver(call.status)) return 'waits'
  const context = systemContext(services, orgId, 'converse')
  await tellCall(context, await concludeIn(context, asConversation(row)), await turnsOfConversation(context, row.id))
  return 'over'
}

export const leftHandler = handlerOf(leftItem, async (services, { payload: { orgId, conversationId } }) => {
  const state = await concludeOver(services, orgId, conversationId)
  if (state !== 'waits') return
  // The reaper ends every call in time.
  const startAfter = new Date(services.now().getTime() + againAfterMs)
  await services.queue.enqueue(leftItem, { orgId, conversationId }, { startAfter })
})
