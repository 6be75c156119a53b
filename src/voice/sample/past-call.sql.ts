// The statement that writes calls of the past.

import { statement } from '../../database/statement.ts'
import { eventColumns } from '../../kernel/events/event.sql.ts'

/** $1 calls, each with the `lines` of its transcript, $2 events, both as JSON. */
export const insertPastCalls = statement(
  'calls_insert_past',
  `with row as (
     insert into calls select * from jsonb_populate_recordset(null::calls, $1)
   ), said as (
     insert into call_transcripts (id, org_id, summary, lines, written_at)
     select id, org_id, summary, lines, ended_at
     from jsonb_to_recordset($1) as given (id uuid, org_id uuid, summary text, lines jsonb, ended_at timestamptz)
     where summary is not null or lines <> '[]'
   )
   insert into events (${eventColumns}) select ${eventColumns} from jsonb_populate_recordset(null::events, $2)`,
)
