// suggestions review: one key decides on one suggestion. A decision is sent when the next is made, so that it can be taken back until then.

import { isCancel, selectKey } from '@clack/prompts'
import type { Client } from '../../../client/client.ts'
import { isRolocomError } from '../../../client/errors.ts'
import { CommandError, exitStatus, type Terminal } from '../../terminal.ts'
import { displayText, inStyle, printLine, say } from '../output/print.ts'
import { connect } from '../session/connect.ts'
import type { ServerFlags } from '../session/server.ts'
import type { Suggestion } from './list.ts'

export interface Flags extends ServerFlags {
  contact?: string
}

type Key = 'a' | 'd' | 's' | 'u' | 'q'
interface Decision {
  suggestion: Suggestion
  isAccepted: boolean
}
interface Counts {
  accepted: number
  declined: number
}

const keys: { value: Key; label: string }[] = [
  { value: 'a', label: 'accept' },
  { value: 'd', label: 'decline' },
  { value: 's', label: 'skip' },
  { value: 'u', label: 'undo' },
  { value: 'q', label: 'quit' },
]

export async function review(this: Terminal, flags: Flags): Promise<void> {
  if (!this.process.stdin.isTTY || !this.process.stdout.isTTY)
    throw new CommandError('review reads keys from a terminal; rolocom suggestions list and rolocom api work without one', exitStatus.usage)
  const client = connect(this, flags)
  const query = { limit: 50, status: ['pending' as const], contact_id: flags.contact ? [flags.contact] : undefined }
  const waiting = client.list('/api/enrich/v1/suggestions', { query })
  const returned: Suggestion[] = []
  const counts: Counts = { accepted: 0, declined: 0 }
  let unsent: Decision | undefined
  for (;;) {
    const suggestion = returned.shift() ?? (await waiting.next()).value
    if (!suggestion) break
    const key = await askAbout(this, suggestion)
    // Ctrl-C: decisions that are not sent are dropped.
    if (key === null) unsent = undefined
    if (key === null || key === 'q') break
    if (key === 's') continue
    if (key === 'u') {
      if (!unsent) say(this, 'Nothing to undo: earlier decisions are sent')
      returned.unshift(...(unsent ? [unsent.suggestion] : []), suggestion)
      unsent = undefined
      continue
    }
    await sendDecision(this, client, unsent, counts)
    unsent = { suggestion, isAccepted: key === 'a' }
  }
  await sendDecision(this, client, unsent, counts)
  printLine(this, `${counts.accepted} accepted, ${counts.declined} declined`)
}

/** Resolves with the key, or null for Ctrl-C. */
async function askAbout(terminal: Terminal, suggestion: Suggestion): Promise<Key | null> {
  const { field, current_value, proposed_value, confidence, provider, evidence, target } = suggestion
  printLine(terminal, '')
  printLine(terminal, `${inStyle(terminal, 'bold', field)} of ${target.kind} ${target.id}`)
  printLine(terminal, `  now       ${displayText(current_value) || '(empty)'}`)
  printLine(terminal, `  proposed  ${inStyle(terminal, 'green', displayText(proposed_value))}`)
  printLine(
    terminal,
    `  from      ${displayText(provider)}, ${Math.round(confidence * 100)} % sure${evidence ? `: "${displayText(evidence)}"` : ''}`,
  )
  const key = await selectKey({ message: 'Accept?', options: keys, output: terminal.process.stdout, input: terminal.process.stdin })
  return isCancel(key) ? null : key
}

/** Sends a decision. One that cannot be carried out any more, such as on a value that has changed since, is said and passed over. */
async function sendDecision(terminal: Terminal, client: Client, decision: Decision | undefined, counts: Counts): Promise<void> {
  if (!decision) return
  const { suggestion, isAccepted } = decision
  const input = { path: { suggestion_id: suggestion.id } }
  try {
    if (isAccepted) await client.post('/api/enrich/v1/suggestions/{suggestion_id}/accept', input)
    else await client.post('/api/enrich/v1/suggestions/{suggestion_id}/reject', input)
    counts[isAccepted ? 'accepted' : 'declined']++
  } catch (error) {
    if (!isRolocomError(error) || error.status === null || error.status === 401 || error.status >= 500) throw error
    say(terminal, `${suggestion.field}: ${error.message}`)
  }
}
