// The prepared statements that read and write single contacts, and the keys that lists are sorted by.

import { type Statement, shortRead, statement } from '../database/client.ts'
import { eventColumns } from '../events.ts'
import { pointRead } from '../point-read.ts'
import { type Contact, type ContactFields, contactColumns, contactRow, fieldColumns } from './contact-row.ts'

// What lists are sorted by, missing values last. Indexes of the migration are over the same words.
export const emailKey = `(coalesce(lower(email), U&'\\+10FFFF' || id::text)) collate "C"`
export const lastNameKey = `(coalesce(lower(last_name), U&'\\+10FFFF')) collate "C"`

const byId = `select ${contactColumns} from contacts where org_id = $1 and id = $2`
const liveByEmail = `select ${contactColumns} from contacts where org_id = $1 and ${emailKey} = lower($2) and deleted_at is null`

/** For those who only look. */
export const contactAt = pointRead<Contact>('contacts', String(contactColumns), contactRow)
export const liveContactByEmail = shortRead<Contact>('contact_by_email', liveByEmail, contactRow)
/** The same in a transaction that is going to write the contact: whoever else is writing it is waited for. */
export const lockContactById = statement<Contact>('contact_lock_by_id', `${byId} for update`, contactRow)
export const lockContactByEmail = statement<Contact>('contact_lock_by_email', `${liveByEmail} for update`, contactRow)
/** $2 addresses. One order for everybody, so that two batches with the same addresses wait for each other and never in a circle. */
export const lockContactsByEmail = statement<{ id: string }>(
  'contacts_lock_by_email',
  `select contact.id from (select distinct lower(given) as address from unnest($2::text[]) as given order by 1) wanted
   cross join lateral (select id from contacts where org_id = $1 and ${emailKey} = address and deleted_at is null for update) contact`,
)
export const contactsById = shortRead<Contact>(
  'contacts_by_id',
  `select ${contactColumns} from contacts where org_id = $1 and id = any($2::uuid[])`,
  contactRow,
)

/** The columns of `insertValues`, in its order. */
export const insertColumns = [
  ...fieldColumns,
  'id',
  'org_id',
  'created_by_type',
  'created_by_id',
  'created_by_name',
  'created_at',
  'updated_at',
  'search_text',
]

/** Values of a contact's own columns, in the order of `columnOf`. */
export const fieldValues = (fields: ContactFields): unknown[] => [
  fields.email,
  fields.firstName,
  fields.lastName,
  fields.fullName,
  fields.phone,
  fields.jobTitle,
  fields.companyName,
  fields.companyDomain,
  fields.linkedinUrl,
  fields.city,
  fields.region,
  fields.country,
  fields.timezone,
  fields.avatarUrl,
  fields.lifecycleStage,
  fields.source,
  fields.ownerUserId,
  fields.tags,
  JSON.stringify(fields.custom),
  fields.doNotCall,
  fields.externalId,
  fields.lastContactedAt,
]

/** Values for `insertContact`, before those of its event. */
export const insertValues = (contact: Contact, searchText: string): unknown[] => [
  ...fieldValues(contact),
  contact.id,
  contact.orgId,
  contact.createdBy.type,
  contact.createdBy.id,
  contact.createdBy.name,
  contact.createdAt,
  contact.updatedAt,
  searchText,
]

const onTakenEmail = `on conflict (org_id, ${emailKey}) where deleted_at is null do nothing`
const parameters = (count: number, before = 0) => Array.from({ length: count }, (_, index) => `$${before + index + 1}`).join(', ')
const eventWidth = eventColumns.split(',').length

/** One statement, one commit: the contact with its event, or nothing (no row) where a live contact has the address. */
export const insertContact = statement<{ id: string }>(
  'contact_insert',
  `with row as (
     insert into contacts (${insertColumns}) values (${parameters(insertColumns.length)}) ${onTakenEmail} returning id
   ), event as (
     insert into events (${eventColumns}) select ${parameters(eventWidth, insertColumns.length)} from row
   )
   select id from row`,
)

/** Many at once, as JSON: $1 the contacts' columns, $2 the events'. Returns the ids of those whose address was free. */
export const insertContacts = statement<{ id: string }>(
  'contacts_insert',
  `with row as (
     insert into contacts (${insertColumns}) select ${insertColumns} from jsonb_populate_recordset(null::contacts, $1)
     order by lower(email) ${onTakenEmail} returning id
   ), event as (
     insert into events (${eventColumns}) select ${eventColumns} from jsonb_populate_recordset(null::events, $2) where contact_id in (select id from row)
   )
   select id from row`,
)

/** The same, where every address is taken to be free: all of them, or an error. */
export const insertFreeContacts = statement<never>(
  'contacts_insert_free',
  `with row as (
     insert into contacts (${insertColumns}) select ${insertColumns} from jsonb_populate_recordset(null::contacts, $1) order by lower(email)
   )
   insert into events (${eventColumns}) select ${eventColumns} from jsonb_populate_recordset(null::events, $2)`,
)

// Compare and set: no row where another version came in between, or the contact has gone meanwhile.
const changed = (name: string, sets: readonly string[], values: number): Statement<{ version: number; updatedAt: string }> =>
  statement(
    name,
    `with row as (
       update contacts set ${sets.join(', ')}, version = version + 1, updated_at = greatest(updated_at, $4)
       where id = $1 and org_id = $2 and version = $3 returning version, updated_at
     ), event as (
       insert into events (${eventColumns}) select ${parameters(eventWidth, values)} from row
     )
     select version, updated_at as "updatedAt" from row`,
  )

/** $1 id, $2 organization, $3 version, $4 now, $5 search text, the fields, the event. */
export const updateContactRow = changed(
  'contact_update',
  ['search_text = $5', ...fieldColumns.map((column, index) => `${column} = $${index + 6}`)],
  5 + fieldColumns.length,
)
/** $1 id, $2 organization, $3 version, $4 now, $5 when it was deleted or null, the event. */
export const setContactDeleted = changed('contact_delete', ['deleted_at = $5'], 5)
