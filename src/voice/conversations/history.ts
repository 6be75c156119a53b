// Reads the turns of conversations.

import type { Context } from '../../kernel/context.ts'
import { asTurn, type ConversationTurn } from './row.ts'

/** All turns of a conversation, in their order. */
export async function turnsOfConversation({ db }: Pick<Context, 'db'>, conversationId: string): Promise<ConversationTurn[]> {
  const rows = await db.prisma.conversationTurn.findMany({ where: { conversationId }, orderBy: { seq: 'asc' } })
  return rows.map(asTurn)
}

/** The turns of each of the conversations. */
export async function loadTurns({ db }: Context, ids: readonly string[]): Promise<ConversationTurn[][]> {
  const where = { conversationId: { in: [...ids] } }
  const rows = await db.prisma.conversationTurn.findMany({ where, orderBy: [{ conversationId: 'asc' }, { seq: 'asc' }] })
  const byId = Map.groupBy(rows.map(asTurn), ({ conversationId }) => conversationId)
  return ids.map(id => byId.get(id) ?? [])
}
