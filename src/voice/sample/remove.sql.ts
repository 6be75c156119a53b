// The statements that delete the calls and agents of sample data for good.

import { statement } from '../../database/statement.ts'
import { rows, text, uuid } from '../../database/table.ts'

export const selectActiveSampleCalls = statement(
  'sample_calls_active',
  `select id from calls where org_id = $1 and (contact_id = any($2::uuid[]) or agent_id = any($3::uuid[]))
     and status in ('queued', 'ringing', 'in_progress') and dispatch_state not in ('blocked', 'failed', 'canceled') limit 1`,
  rows({ id: uuid }),
)

/** Calls of the simulator to the contacts $2. */
export const deleteSampleCalls = statement(
  'sample_calls_delete',
  `with gone as (delete from calls where org_id = $1 and contact_id = any($2::uuid[]) and provider = 'simulator' returning id)
   delete from call_transcripts t using gone where t.id = gone.id`,
)

/** $2: deals, which other calls have. */
export const forgetSampleDeals = statement(
  'sample_deals_of_calls',
  'update calls set deal_id = null where org_id = $1 and deal_id = any($2::uuid[])',
)

/** $2: agents. An agent with other calls stays. */
export const deleteSampleAgents = statement(
  'sample_agents_delete',
  `delete from voice_agents a where org_id = $1 and id = any($2::uuid[]) and not exists (select from calls c where c.agent_id = a.id)
   returning id, status`,
  rows({ id: uuid, status: text }),
)
