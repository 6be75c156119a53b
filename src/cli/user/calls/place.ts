// calls place: places a call, and with --follow shows its states until it is over.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../../client/client.ts'
import { CommandError, type Terminal } from '../../terminal.ts'
import { pairOf } from '../contacts/fields.ts'
import type { CommonFlags } from '../flags.ts'
import { printJson, say } from '../output/print.ts'
import { startSpinner } from '../output/progress.ts'
import { connect } from '../session/connect.ts'
import { type Call, printCall, type Status, stateOf } from './fields.ts'

export interface Flags extends CommonFlags {
  agent: string
  to: string
  contact?: string
  variable?: string[]
  trial?: boolean
  follow?: boolean
  dryRun?: boolean
}

const pollMs = 1_000
const over: readonly Status[] = ['completed', 'busy', 'no_answer', 'failed', 'canceled']

export async function place(this: Terminal, flags: Flags): Promise<void> {
  const { agent, to, contact, variable, trial, follow, dryRun } = flags
  const client = connect(this, flags)
  const variables = variable && Object.fromEntries(variable.map(pairOf))
  const body = { agent_id: agent, to_number: to, contact_id: contact, variables, is_trial: trial }
  const call = await client.post('/api/voice/v1/calls', { body, query: { dry_run: dryRun } })
  // A dry run answers what it would do, in place of the call.
  if (dryRun) return printJson(this, call)
  const last = follow ? await followCall(this, client, call) : call
  printCall(this, flags, last)
  if (follow && last.status !== 'completed') throw new CommandError(`The call ${last.id} is over: ${stateOf(last)}`)
}

async function followCall(terminal: Terminal, client: Client, placed: Call): Promise<Call> {
  const spinner = startSpinner(terminal, stateOf(placed))
  for (let call = placed, state = ''; ; ) {
    if (stateOf(call) !== state) {
      state = stateOf(call)
      spinner.advance(0, state)
      if (!terminal.process.stderr.isTTY) say(terminal, state)
    }
    if (over.includes(call.status)) {
      spinner.stop(state)
      return call
    }
    await sleep(pollMs)
    call = await client.get('/api/voice/v1/calls/{call_id}', { path: { call_id: call.id } })
  }
}
