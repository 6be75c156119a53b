// The statements of the seed: sets of rows as they are, with the times and authors of the past.

import { contactTable } from '../../src/contacts/contact/row.ts'
import { statement } from '../../src/database/statement.ts'
import { boolean, rows } from '../../src/database/table.ts'
import { eventColumns, eventDefinitions } from '../../src/kernel/events/event.sql.ts'

/**
 * Held until the seed has committed: when several processes start together, one seeds, and the others try again until they have it and find
 * it done. They do not wait in the statement, because on a slow machine seeding takes longer than a statement may.
 */
export const lockSeed = statement(
  'seed_lock',
  `select pg_try_advisory_xact_lock(hashtext('rolocom seed')) as is_locked`,
  rows({ isLocked: boolean }),
)

const seeded = rows({ demo: boolean, own: boolean })
/** Whether the demo organization exists, and any other one: a server that has organizations makes no first one. */
export type Seeded = ReturnType<typeof seeded.row>
export const selectSeeded = statement(
  'seed_seeded',
  'select exists (select from organizations where is_demo) as demo, exists (select from organizations where not is_demo) as own',
  seeded,
)

export const insertUsers = statement(
  'seed_users',
  `insert into users (id, name, email) select u.id, u.name, u.email from unnest($1::text[], $2::text[], $3::text[]) as u (id, name, email)
   on conflict (id) do nothing`,
)

/** $1 organization, $2 users, $3 their roles. */
export const insertMembers = statement(
  'seed_members',
  `insert into memberships (organization_id, user_id, role) select $1, m.id, m.role from unnest($2::text[], $3::text[]) as m (id, role)
   on conflict do nothing`,
)

export const seededContact = contactTable.values()
/** $1 contacts, $2 events, both as JSON. */
export const insertContacts = statement(
  'seed_contacts',
  `with row as (
     insert into contacts (${seededContact.columns}) select ${seededContact.columns} from json_to_recordset($1) as given (${seededContact.definitions})
   )
   insert into events (${eventColumns}) select ${eventColumns} from json_to_recordset($2) as given (${eventDefinitions})`,
)
