// Cuts the words of an interrupted agent at those that were heard, so that the history does not hold more.

import type { Context } from '../../../kernel/context.ts'
import type { Conversation } from '../row.ts'

/** The words that were heard. `until`: the carrier's text up to the interruption, which may be of the last sentence only. */
export function heardUntil(said: string, until: string): string {
  const end = until.trim()
  if (end === '') return ''
  const at = said.lastIndexOf(end)
  return at < 0 ? end : said.slice(0, at + end.length)
}

/** Shortens a stored turn of the agent. */
export async function shortenTurn({ db }: Context, { id }: Conversation, seq: number, text: string): Promise<void> {
  await db.prisma.conversationTurn.updateMany({ where: { conversationId: id, seq, role: 'agent' }, data: { text, wasInterrupted: true } })
}
