// Turns as messages to a model: first the turns of earlier runs, then of this one.

import type { Message, ToolCall, ToolResult } from '../models/runtime.ts'
import type { Turn } from './history.ts'

type StoredTurn = Pick<Turn, 'runId' | 'step' | 'role' | 'text' | 'toolCallId' | 'toolName' | 'toolInput' | 'toolOutput'> & {
  error?: string | null
}

/** The messages of the turns. The text of an answer and its tool calls are one message. */
export function messagesOf(history: readonly StoredTurn[], own: readonly StoredTurn[]): Message[] {
  // A history that was cut off may begin in the middle of an answer; models want a message of the user first.
  const begin = history.findIndex(({ role }) => role === 'user')
  return [...(begin < 0 ? [] : messagesFrom(history.slice(begin))), ...messagesFrom(own)]
}

function messagesFrom(turns: readonly StoredTurn[]): Message[] {
  const messages: Message[] = []
  for (let index = 0; index < turns.length; ) {
    const turn = turns[index] as StoredTurn
    if (turn.role === 'user') {
      messages.push({ role: 'user', text: turn.text })
      index++
    } else {
      const end = turns.findIndex((other, at) => at > index && (other.runId !== turn.runId || other.step !== turn.step))
      const step = turns.slice(index, end < 0 ? turns.length : end)
      messages.push(...stepOf(step))
      index += step.length
    }
    const next = turns[index]
    // A failed run left a message without an answer, and models want one between two messages of the user.
    if (turn.error && next?.runId !== turn.runId)
      messages.push({ role: 'assistant', text: `(This run ended without an answer: ${turn.error})`, calls: [] })
  }
  return messages
}

function stepOf(step: readonly StoredTurn[]): Message[] {
  const called = step.filter(({ role }) => role === 'tool')
  const text = step.map(turn => turn.text).join('')
  const calls = called.map((turn): ToolCall => ({ id: turn.toolCallId ?? '', name: turn.toolName ?? '', input: turn.toolInput ?? {} }))
  const results = called.map(
    (turn): ToolResult => ({
      id: turn.toolCallId ?? '',
      name: turn.toolName ?? '',
      output: turn.toolOutput ?? { error: { code: 'INTERRUPTED', message: 'The tool was not called' } },
    }),
  )
  const said: Message = { role: 'assistant', text, calls }
  return results.length > 0 ? [said, { role: 'tool', results }] : [said]
}
