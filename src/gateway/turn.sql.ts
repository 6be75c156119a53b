// Turns of conversations: what was given, what the model said, which tools it called.

import { statement } from '../database/client.ts'

export type TurnRole = 'user' | 'assistant' | 'tool'

export interface Turn {
  id: string
  sessionId: string
  runId: string
  seq: number
  step: number
  role: TurnRole
  text: string
  toolCallId: string | null
  toolName: string | null
  toolInput: unknown
  toolOutput: unknown
  createdAt: string
}

export const turnColumns = `t.id, t.session_id as "sessionId", t.run_id as "runId", t.seq, t.step, t.role, t.text, t.tool_call_id as "toolCallId",
  t.tool_name as "toolName", t.tool_input as "toolInput", t.tool_output as "toolOutput", t.created_at as "createdAt"`

/** The newest turns of the session that are not the run's own, as many as the characters allow, oldest first. */
export const selectHistory = statement<Turn & { error: string | null }>(
  'gateway_history',
  `select * from (
     select ${turnColumns}, r.error, sum(octet_length(t.text) + coalesce(octet_length(t.tool_output::text), 0)) over (order by t.seq desc) as size
     from gateway_turns t join gateway_runs r on r.id = t.run_id
     where t.session_id = $1 and t.run_id <> $2 order by t.seq desc limit 400) recent
   where size <= $3 order by seq`,
)
export const selectOwnTurns = statement<Turn>(
  'gateway_own_turns',
  `select ${turnColumns} from gateway_turns t where t.session_id = $1 and t.run_id = $2 order by t.seq`,
)
export const insertTurns = statement<never>(
  'gateway_insert_turns',
  `insert into gateway_turns (id, org_id, session_id, run_id, seq, step, role, text, tool_call_id, tool_name, tool_input, created_at)
   select id, $1, $2, $3, seq, step, role, text, tool_call_id, tool_name, tool_input::jsonb, $4
   from unnest($5::uuid[], $6::int[], $7::int[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[])
     as g(id, seq, step, role, text, tool_call_id, tool_name, tool_input)`,
)
export const answerTool = statement<never>('gateway_answer_tool', 'update gateway_turns set tool_output = $2::jsonb where id = $1')
