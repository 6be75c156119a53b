// Conversations as a model is told them: earlier turns, then the run's own.

import type { Message, ToolCall, ToolResult } from './agent-runtime.ts'
import type { Turn } from './turn.sql.ts'

type Told = Pick<Turn, 'runId' | 'step' | 'role' | 'text' | 'toolCallId' | 'toolName' | 'toolInput' | 'toolOutput'> & {
  error?: string | null
}

/** The messages that the turns stand for. A model's words and the tools it called with them are one message. */
export function messagesOf(history: readonly Told[], own: readonly Told[]): Message[] {
  // Cut off somewhere, a history may begin in the middle of an answer; a conversation begins with what was asked.
  const begin = history.findIndex(({ role }) => role === 'user')
  return [...(begin < 0 ? [] : told(history.slice(begin))), ...told(own)]
}

function told(turns: readonly Told[]): Message[] {
  const messages: Message[] = []
  for (let index = 0; index < turns.length; ) {
    const turn = turns[index] as Told
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
    // A run that failed left a question without an answer.
    if (turn.error && next?.runId !== turn.runId)
      messages.push({ role: 'assistant', text: `(This run ended without an answer: ${turn.error})`, calls: [] })
  }
  return messages
}

function stepOf(step: readonly Told[]): Message[] {
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
