// The statement that keeps a payload of a hook.

import { statement } from '../../database/statement.ts'
import { boolean, jsonb, smallint, table, text, timestamptz, uuid } from '../../database/table.ts'

const payloads = table('hook_payloads', {
  id: uuid,
  orgId: uuid,
  hook: text,
  mapping: text.orNull(),
  status: smallint,
  error: text.orNull(),
  headers: jsonb.as<Readonly<Record<string, string>>>(),
  payload: jsonb,
  isTruncated: boolean,
  receivedAt: timestamptz,
})
export const keptPayload = payloads.values()

// The newest of each hook that are kept.
const keptOfHook = 100

/** In the order of `keptPayload`. Deletes the oldest payloads of the hook above its limit, so that a flood of hooks does not fill the table. */
export const insertPayload = statement(
  'hook_payload_keep',
  `with surplus as (
     delete from hook_payloads where org_id = $2 and hook = $3 and id <= (
       select id from hook_payloads where org_id = $2 and hook = $3 order by id desc offset ${keptOfHook - 1} limit 1))
   insert into hook_payloads (${keptPayload.columns}) values (${keptPayload.parameters()})`,
)
