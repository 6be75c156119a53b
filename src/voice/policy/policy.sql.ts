// The call policy: the statements that read its facts, and SQL expressions for other statements.

import { Column } from '../../database/column.ts'
import { statement } from '../../database/statement.ts'
import { boolean, integer, rows, text } from '../../database/table.ts'

const stored = {
  concurrency: integer.orNull(),
  callingFrom: text.orNull(),
  callingUntil: text.orNull(),
  callingDays: new Column<number[]>('integer[]').orNull(),
  defaultTimezone: text.orNull(),
}
/** An organization's settings as stored. The columns are null if it has none. */
const storedSettings = rows(stored)
const settingsOf = `(select 1) one left join voice_settings s on s.org_id = $1`

// A contact's request not to be called stays in force after its deletion, and covers calls to any of its numbers for other contacts.
const doNotCall = (orgId: string, phone: string, contactId: string) =>
  `(exists (select from contacts k where k.org_id = ${orgId} and k.do_not_call and (k.phone = ${phone} or k.id = ${contactId}))
    or exists (select from contact_numbers n join contacts k on k.id = n.contact_id and k.do_not_call
      where n.org_id = ${orgId} and phone_key(n.number) = phone_key(${phone}) and n.number = ${phone}))`
const isDenied = (orgId: string, phone: string) => `exists (select from denied_numbers d where d.org_id = ${orgId} and d.phone = ${phone})`
const timezone = (orgId: string, contactId: string) =>
  `(select k.timezone from contacts k where k.org_id = ${orgId} and k.id = ${contactId})`

const calleeColumns = { doNotCall: boolean, isDenied: boolean, timezone: text.orNull() }
/** The facts about the called number and contact. */
export const callee = rows(calleeColumns)
export const calleeSql = (orgId: string, phone: string, contactId: string) =>
  `${doNotCall(orgId, phone, contactId)} as do_not_call, ${isDenied(orgId, phone)} as is_denied, ${timezone(orgId, contactId)} as timezone`

/** $2 the numbers, $3 their contacts. One row for each, in this order. */
export const selectFacts = statement(
  'call_policy_facts',
  `select ${calleeSql('$1', 'given.phone', 'given.contact_id')}, ${storedSettings.of('s')}
   from ${settingsOf} cross join unnest($2::text[], $3::uuid[]) with ordinality as given (phone, contact_id, place) order by given.place`,
  rows({ ...calleeColumns, ...stored }),
)

export const selectSlots = statement(
  'call_slots',
  `select (select count(*) from calls where org_id = $1 and dispatch_state in ('dispatching', 'dispatched', 'unconfirmed')
       and status in ('queued', 'ringing', 'in_progress'))::int as used,
     exists (select from calls where org_id = $1 and dispatch_state in ('pending', 'scheduled') and dispatch_after <= $2) as waiting,
     ${storedSettings.of('s')}
   from ${settingsOf}`,
  rows({ used: integer, waiting: boolean, ...stored }),
)
