// The table of simulated calls. Each step of each call reads and writes it.

import { statement } from '../../database/statement.ts'
import { boolean, integer, jsonb, type RowOf, rows, table, text, timestamptz, uuid } from '../../database/table.ts'
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

export const simulatedCalls = statement('simulated_calls', `select ${all.sql} from simulated_calls where call_id = any($1::uuid[])`, all)

const { record, columns, definitions } = table('simulated_calls', {
  callId: uuid,
  providerCallId: text,
  orgId: uuid,
  script: text.as<Script>(),
  setup: jsonb.as<Setting>(),
  createdAt: timestamptz,
}).values()
export type NewSimulatedCall = Parameters<typeof record>[0]
export const newRecord = record
/** Registers calls, given as JSON. The rows are as they were registered first; `dials` counts how often. */
export const registerCalls = statement(
  'simulated_calls_register',
  `insert into simulated_calls as s (${columns}) select ${columns} from json_to_recordset($1) as given (${definitions})
   on conflict (call_id) do update set dials = s.dials + 1 returning call_id, provider_call_id, dials`,
  rows({ callId: uuid, providerCallId: text, dials: integer }),
)

/** For each call the step that it was at, the next one, and whether it has ended. No row if another item was faster, or it was ended. */
export const advanceCalls = statement(
  'simulated_calls_advance',
  `update simulated_calls s set step = given.next, ended = given.ended
   from unnest($1::uuid[], $2::int[], $3::int[], $4::boolean[]) as given (id, step, next, ended)
   where s.call_id = given.id and s.step = given.step and not s.ended returning s.call_id`,
  rows({ callId: uuid }),
)

export const endCall = statement('simulated_call_end', 'update simulated_calls set ended = true where call_id = $1')
