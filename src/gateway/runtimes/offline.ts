// The model that is there when none is configured: it says so, and repeats what it was given, the same way every time.

import type { AgentRuntime, Message } from '../agent-runtime.ts'

const longestExcerpt = 400

export const offlineRuntime: AgentRuntime = {
  async answer({ messages, signal }) {
    signal.throwIfAborted()
    const given = lastGiven(messages)
    const isQuiet = !given.includes('<<<UNTRUSTED') && !given.includes('System events') && given.includes('HEARTBEAT_OK')
    const text = isQuiet ? 'HEARTBEAT_OK' : summaryOf(given)
    // There is no model, so nothing was read or written by one.
    return { text, calls: [], inputTokens: 0, outputTokens: 0 }
  },
}

function lastGiven(messages: readonly Message[]): string {
  const last = messages.findLast(message => message.role === 'user')
  return last?.role === 'user' ? last.text : ''
}

function summaryOf(given: string): string {
  const text = given
    .split('\n')
    .filter(line => !/^<<<(END )?UNTRUSTED .*>>>$/.test(line))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...text]
  const words = text === '' ? 0 : text.split(' ').length
  const excerpt = characters.length > longestExcerpt ? `${characters.slice(0, longestExcerpt).join('')}…` : text
  return `[offline model: no model is configured, so this only repeats its input of ${words} words] ${excerpt}`
}
