// The table of simulated calls. Each step of each call reads and writes it.

import { statement } from '../../database/statement.ts'
import { boolean, integer, jsonb, type RowOf, rows, table, text, uuid } from '../../database/table.ts'
import type { Script, Setting } from './simulator-script.ts'

const calls = table('simulated_calls', {
  callId: uuid,
  providerCallId: text,
  orgId: uuid,
  script: text.as<Script>(),
  /** The next one. */
  step: integer,
  setup: jsonb.as<Setting>(),
  ended: boolean,
})
export type SimulatedCall = RowOf<typeof calls>
const { all } = calls

export const simulatedCall = statement('simulated_call', `select ${all.sql} from simulated_calls where call_id = $1`, all)

/** The call as it was registered first; `dials` counts how often. */
export const registerCall = statement(
  'simulated_call_register',
  `insert into simulated_calls as s (call_id, provider_call_id, org_id, script, setup, created_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (call_id) do update set dials = s.dials + 1 returning provider_call_id, dials`,
  rows({ providerCallId: text, dials: integer }),
)

/** $2 the step that is done, $3 whether it was the last. No row if another task has done it, or the call was ended. */
export const advanceCall = statement(
  'simulated_call_advance',
  `update simulated_calls set step = step + 1, ended = $3 where call_id = $1 and step = $2 and not ended returning ${all.sql}`,
  all,
)

export const endCall = statement('simulated_call_end', 'update simulated_calls set ended = true where call_id = $1')
