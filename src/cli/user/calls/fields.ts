// A call as it is printed.

import type { Answer } from '../../../client/endpoints.ts'
import type { Terminal } from '../../terminal.ts'
import type { CommonFlags } from '../flags.ts'
import { displayText, isForPeople, minute, printJson, printLine } from '../output/print.ts'
import { printFields } from '../output/table.ts'

export type Call = Answer<'get', '/api/voice/v1/calls/{call_id}'>
export type Status = Call['status']

export function printCall(terminal: Terminal, flags: CommonFlags, call: Call): void {
  if (!isForPeople(terminal, flags)) return void printJson(terminal, call)
  printFields(terminal, [
    ['call', call.id],
    ['to', call.to_number],
    ['contact', call.contact_id],
    ['agent', call.agent_id],
    ['status', stateOf(call)],
    ['outcome', call.outcome],
    ['created', minute(call.created_at)],
    ['duration', call.duration_seconds === null ? null : `${call.duration_seconds} s`],
    ['credits', call.credits_charged],
    ['summary', call.summary],
  ])
  for (const { role, text } of call.transcript) printLine(terminal, `${role}: ${displayText(text)}`)
}

/** How far it is: how it is dialled while it is not, then how it went. */
export function stateOf({ dispatch_state, status, ended_reason, provider_reason }: Call): string {
  const state = status === 'queued' ? dispatch_state : status
  const reason = ended_reason ?? provider_reason
  return reason ? `${state} (${reason})` : state
}
