// The statements that read and write single contacts, and the sort keys of lists.

import { batchedRead } from '../../database/batched-read.ts'
import { shortRead, statement } from '../../database/statement.ts'
import { boolean, integer, rows, timestamptz, uuid } from '../../database/table.ts'
import { eventColumns, eventDefinitions, eventParameters } from '../../kernel/events/event.sql.ts'
import { addressesOfRow, areFree, emailKey, holderOf } from './addresses/address.sql.ts'
import { contactTable, lifecycleStages, storedFields } from './row.ts'

// Sort keys. Rows without a value get the greatest key, and so come last. The indexes of the migrations have the same expressions.
export const lastNameKey = `(coalesce(lower(last_name), U&'\\+10FFFF')) collate "C"`

// The place of the stage in its enumeration.
const placesOfStages = lifecycleStages.values.map((stage, index) => `when '${stage}' then '${index + 1}'`)
export const stageKey = `(case lifecycle_stage ${placesOfStages.join(' ')} end) collate "C"`

/** The digits of a number without its country, as `phoneKey` computes them: the same for all ways to write it. */
export const phoneKeyOf = (alias = '') => `phone_key(${alias}phone)`

const { all } = contactTable
const id = rows({ id: uuid })

const byId = `select ${all.sql} from contacts where org_id = $1 and id = $2`
// The second comparison is made again with the row that a lock was awaited for.
const liveByEmail = `select ${all.sql} from contacts
     where org_id = $1 and id = ${holderOf('$1', '$2')} and deleted_at is null and lower($2) = any(${addressesOfRow()})`

// The ids as an array: for a join the planner may read all contacts.
const idsByEmails = `select ${holderOf('$1', 'given')} as id from unnest($2::text[]) as given`

export const contactAt = batchedRead('contacts', all)
export const liveContactByEmail = shortRead('contact_by_email', liveByEmail, all)
// "no key", as the update of a contact locks it: "for update" would wait for a call that is being placed to the contact (it holds "key share"
// and waits for the payer's account), while the end of another call to it holds the account. That was a deadlock.
/** Locks the contact until the end of the transaction that writes it. */
export const lockContactById = statement('contact_lock_by_id', `${byId} for no key update`, all)
export const lockContactByEmail = statement('contact_lock_by_email', `${liveByEmail} for no key update`, all)
/** Locks a live contact, for a rule whose decision depends on its values or on its not being deleted. */
export const lockLiveContact = statement(
  'contact_lock_live',
  'select id from contacts where org_id = $1 and id = $2 and deleted_at is null for no key update',
  id,
)
/** $2: addresses. Locked in the order of ids, as in merges, so that two batches, or a batch and a merge, cannot deadlock. */
export const lockContactsByEmail = statement(
  'contacts_lock_by_email',
  `select ${all.sql} from contacts where id = any(array(${idsByEmails})) order by id for update`,
  all,
)
// Several contacts may have one external id; the oldest is meant.
const idsByExternalIds = `select contact.id from unnest($2::text[]) as given
     cross join lateral (
       select id from contacts where org_id = $1 and external_id = given and deleted_at is null order by id limit 1
     ) contact`
/** $2: ids in another system. */
export const contactsByExternalId = statement(
  'contacts_by_external_id',
  `select ${all.sql} from contacts where id = any(array(${idsByExternalIds}))`,
  all,
)
/** $2: ids in another system, $3: addresses, $4: ids. Locked together in the order of ids, as by `lockContactsByEmail`. */
export const lockContactsByKeys = statement(
  'contacts_lock_by_keys',
  `select id from contacts where id = any(array(${idsByExternalIds} union ${idsByEmails.replace('$2', '$3')}
     union select unnest($4::uuid[]))) and org_id = $1 order by id for update`,
  id,
)
/** $1 organization. Makes transactions that add contacts by their external ids follow each other. */
export const lockExternalIds = statement(
  'contacts_lock_external_ids',
  `select from pg_advisory_xact_lock(hashtextextended('external ids of ' || $1, 0))`,
)
/** $2: addresses. */
export const contactsByEmail = statement('contacts_by_email', `select ${all.sql} from contacts where id = any(array(${idsByEmails}))`, all)
export const contactsById = shortRead('contacts_by_id', `select ${all.sql} from contacts where org_id = $1 and id = any($2::uuid[])`, all)

/** The columns of a new contact. */
export const inserted = contactTable.values([
  ...storedFields,
  ...(['id', 'orgId', 'createdBy', 'createdAt', 'updatedAt', 'searchText'] as const),
])
/** The columns that a change may set. */
export const updated = contactTable.values([...storedFields, 'searchText'])

const onTakenEmail = `on conflict (org_id, ${emailKey}) where deleted_at is null do nothing`

const addedOrHeld = rows({ id: uuid, isHeld: boolean, wantsOwner: boolean, companyId: uuid.orNull() })
// A contact without an owner waits for one, if its organization has an assignment rule: it is held back, and not inserted. So is one without a
// company whose address has the domain of one. One whose address is taken is not, because it would use a turn for nothing. Companies have no
// domains of mail providers.
const heldOf = (given: string, isAsked: string, isFree: string) =>
  `select given.id, r.org_id is not null as wants_owner, d.company_id from ${given}
     left join assignment_rules r on r.org_id = given.org_id and given.owner_user_id is null
     left join lateral (
       select company_id from company_domains where org_id = given.org_id and domain = split_part(lower(given.email), '@', 2)
         and given.company_id is null and given.company_name is null and given.company_domain is null
         and (select links_contacts from organizations o where o.id = given.org_id) limit 1
     ) d on true
     where (r.org_id is not null or d.company_id is not null) and not ${isAsked}::boolean and ${isFree}`
const addedAndHeld = `select id, false as is_held, false as wants_owner, null::uuid as company_id from row
   union all select id, true, wants_owner, company_id from held`
const heldColumns = {
  ...{ id: 'uuid', org_id: 'uuid', owner_user_id: 'text', email: 'text', emails: 'jsonb' },
  ...{ company_id: 'uuid', company_name: 'text', company_domain: 'text' },
}
const parameterOf = (column: string) => `$${inserted.columns.split(', ').indexOf(column) + 1}`
const lastOfContact = inserted.count + 1
const isFree = areFree(parameterOf('org_id'), addressesOfRow(`${parameterOf('email')}::text`, `${parameterOf('emails')}::jsonb`))
const isGivenFree = areFree('given.org_id', addressesOfRow('given.email', 'given.emails'))

const givenContact = Object.entries(heldColumns).map(([column, type]) => `${parameterOf(column)}::${type} as ${column}`)

/**
 * Inserts a contact with its event. The columns of `inserted`, then whether its owner and company were sought already, then the event. Returns no
 * row if a live contact has the address, and `isHeld` for a contact that is to get an owner or a company first.
 */
export const insertContact = statement(
  'contact_insert',
  `with held as (
     ${heldOf(`(select ${givenContact.join(', ')}) given`, `$${lastOfContact}`, isGivenFree)}
   ), row as (
     insert into contacts (${inserted.columns}) select ${inserted.parameters()}
     where not exists (select from held) and ${isFree} ${onTakenEmail} returning id
   ), event as (
     insert into events (${eventColumns}) select ${eventParameters(lastOfContact + 1)} from row
   )
   ${addedAndHeld}`,
  addedOrHeld,
)

const insertSet = `insert into contacts (${inserted.columns})
     select ${inserted.columns} from json_to_recordset($1) as given (${inserted.definitions})
     where id not in (select id from held) and ${isGivenFree} order by lower(email)`
const definitionsOfHeld = Object.entries(heldColumns)
  .map(([column, type]) => `${column} ${type}`)
  .join(', ')
const insertEvents = `insert into events (${eventColumns}) select ${eventColumns} from json_to_recordset($2) as given (${eventDefinitions})`

/**
 * Inserts contacts with their events. $1 the contacts, $2 the events, both as JSON, $3 whether owners and companies were sought already.
 * Returns the contacts whose address was free, and `isHeld` for those that are to get an owner or a company first.
 */
export const insertContacts = statement(
  'contacts_insert',
  `with held as (
     ${heldOf(`json_to_recordset($1) as given (${definitionsOfHeld})`, '$3', isGivenFree)}
   ), row as (
     ${insertSet} ${onTakenEmail} returning id
   ), event as (
     ${insertEvents} where contact_id in (select id from row)
   )
   ${addedAndHeld}`,
  addedOrHeld,
)

// Compare and set: returns no row if the contact has another version in the meantime.
const changed = (name: string, sets: string, count: number) =>
  statement(
    name,
    `with row as (
       update contacts set ${sets}, version = version + 1, updated_at = greatest(updated_at, $4)
       where id = $1 and org_id = $2 and version = $3 returning version, updated_at
     ), event as (
       insert into events (${eventColumns}) select ${eventParameters(5 + count)} from row
     )
     select version, updated_at from row`,
    rows({ version: integer, updatedAt: timestamptz }),
  )

/** $1 id, $2 organization, $3 version, $4 now, then the columns of `updated`, then the event. */
export const updateContactRow = changed('contact_update', updated.assignments(5), updated.count)
/**
 * $1 organization, $2 now, $3 the locked contacts with the columns of `updated`, $4 the events, both as JSON. Returns the ids of the
 * contacts that were changed.
 */
export const updateContactRows = statement(
  'contacts_update',
  `with given as (
     select * from json_to_recordset($3) as given (id uuid, ${updated.definitions})
   ), row as (
     update contacts set ${updated.columns
       .split(', ')
       .map(column => `${column} = given.${column}`)
       .join(', ')}, version = contacts.version + 1, updated_at = greatest(contacts.updated_at, $2)
     from given where contacts.id = given.id and contacts.org_id = $1 returning contacts.id
   ), event as (
     insert into events (${eventColumns}) select ${eventColumns} from json_to_recordset($4) as given (${eventDefinitions})
     where contact_id in (select id from row)
   )
   select id from row`,
  id,
)
/** $1 id, $2 organization, $3 version, $4 now, $5 the time of deletion or null, then the event. */
export const setContactDeleted = changed('contact_delete', 'deleted_at = $5', 1)

const iso = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
// Built in SQL, because only the statement knows the previous value.
const reachedChanges = `jsonb_build_object('lastContactedAt', jsonb_build_array(${iso('row.before')}, ${iso('row.after')}))`
const reachedEvent = eventColumns
  .split(', ')
  .map(column => (column === 'changes' ? `event.changes || ${reachedChanges}` : `event.${column}`))

/**
 * $1 organization, $2 the contacts with the times of their conversations, $3 now, $4 their events. A time before the stored one changes
 * nothing. Because of the locks, concurrent writers compare with the latest committed row.
 */
export const setLastContacted = statement(
  'contact_reached',
  `with known as (
     select id, last_contacted_at from contacts
     where org_id = $1 and id in (select id from json_to_recordset($2) as given (id uuid)) and deleted_at is null
     order by id for no key update
   ), row as (
     update contacts set last_contacted_at = given.at, version = contacts.version + 1, updated_at = greatest(contacts.updated_at, $3)
     from known join json_to_recordset($2) as given (id uuid, at timestamptz) on given.id = known.id
     where contacts.id = known.id and (known.last_contacted_at is null or known.last_contacted_at < given.at)
     returning contacts.id, known.last_contacted_at as before, contacts.last_contacted_at as after
   ), recorded as (
     insert into events (${eventColumns}) select ${reachedEvent.join(', ')}
     from row join json_to_recordset($4) as event (${eventDefinitions}) on event.contact_id = row.id
   )
   select id from row`,
  id,
)
