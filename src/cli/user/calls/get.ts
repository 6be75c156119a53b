// calls get: one call, with its transcript.

import type { Terminal } from '../../terminal.ts'
import type { CommonFlags } from '../flags.ts'
import { connect } from '../session/connect.ts'
import { printCall } from './fields.ts'

export async function get(this: Terminal, flags: CommonFlags, id: string): Promise<void> {
  printCall(this, flags, await connect(this, flags).get('/api/voice/v1/calls/{call_id}', { path: { call_id: id } }))
}
