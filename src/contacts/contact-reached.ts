// That somebody has spoken with a contact: a change of the contact like any other, with a version and an event, in one statement.

import { type Context, organizationOf } from '../context.ts'
import { statement } from '../database/client.ts'
import { eventColumns, eventValues } from '../events.ts'

const iso = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const columns = eventColumns.split(', ')
// $5 is the first value of the event. What changed is known to the statement alone.
const values = columns.map((column, index) =>
  column === 'changes'
    ? `$${index + 5}::jsonb || jsonb_build_object('lastContactedAt', jsonb_build_array(${iso('row.before')}, ${iso('row.after')}))`
    : `$${index + 5}`,
)

// The lock shows the row as the last writer has left it, so that the earlier of two ends of calls changes nothing.
const reached = statement<{ id: string }>(
  'contact_reached',
  `with known as (
     select id, last_contacted_at from contacts where org_id = $1 and id = $2 and deleted_at is null for update
   ), row as (
     update contacts set last_contacted_at = $3, version = version + 1, updated_at = greatest(updated_at, $4)
     from known where contacts.id = known.id and (known.last_contacted_at is null or known.last_contacted_at < $3)
     returning contacts.id, known.last_contacted_at as before, contacts.last_contacted_at as after
   ), event as (
     insert into events (${eventColumns}) select ${values.join(', ')} from row
   )
   select id from row`,
)

/** Notes when a live contact was last spoken with. An earlier time than the one that is known changes nothing. */
export async function contactReached(context: Context, contactId: string, at: string): Promise<void> {
  const event = { type: 'contact.updated', entityId: contactId, contactId }
  const now = context.now().toISOString()
  const [changed] = await context.db.query(reached, [organizationOf(context), contactId, at, now, ...eventValues(context, event)])
  if (changed) await context.db.afterCommit(context.services.outbox.announce)
}
