// New contacts into the table, each with its event, together with whoever else is creating at the moment in the same transaction or outside of any.

import type { Context } from '../context.ts'
import { convoy } from '../convoy.ts'
import type { Queries } from '../database/client.ts'
import { eventColumns } from '../events.ts'
import { ofEach } from '../own.ts'
import { insertColumns, insertContact, insertContacts, insertFreeContacts, insertValues } from './contact.sql.ts'
import type { Contact } from './contact-row.ts'

/** A contact to be written; `event` in the order of `eventColumns`. */
export interface Insert {
  contact: Contact
  searchText: string
  event: unknown[]
}

/**
 * Whether the contact was written: false where a live one of its organization has the address. In company it is taken to be free, and
 * the transaction fails where it is not.
 */
export async function insertNew({ db, isInCompany }: Context, insert: Insert): Promise<boolean> {
  if (isInCompany) {
    insertWithCommit(db, insert)
    return true
  }
  return joinOf(db)(insert)
}

function insertWithCommit(db: Queries, insert: Insert): void {
  const inserts = companyOf(db)
  if (inserts.push(insert) === 1) db.withCommit(insertFreeContacts, () => asJson(inserts))
}
const companyOf = ofEach<Queries, Insert[]>(() => [])

// One for each database that this process writes to, and for each transaction while it lasts.
const joinOf = ofEach((db: Queries) => convoy<Insert, boolean>(inserts => insertAll(db, inserts)))

async function insertAll(db: Queries, inserts: readonly Insert[]): Promise<boolean[]> {
  const [first] = inserts
  if (first && inserts.length === 1) return [await insertOne(db, first)]
  const ids = await insertMany(db, inserts)
  return inserts.map(({ contact }) => ids.has(contact.id))
}

/** Writes those whose address is free, of several with one address the first, and resolves with their ids. */
export async function insertMany(db: Queries, inserts: readonly Insert[]): Promise<ReadonlySet<string>> {
  const inserted = await db.query(insertContacts, asJson(inserts))
  return new Set(inserted.map(({ id }) => id))
}

function asJson(inserts: readonly Insert[]): [contacts: string, events: string] {
  const contacts = inserts.map(({ contact, searchText }) => ({
    ...zipped(insertColumns, insertValues(contact, searchText)),
    // As it stands: its JSON text would become a JSON string.
    custom: contact.custom,
  }))
  const events = inserts.map(({ event }) => {
    const row = zipped(eventNames, event)
    return { ...row, changes: JSON.parse(String(row.changes)) as unknown }
  })
  return [JSON.stringify(contacts), JSON.stringify(events)]
}

async function insertOne(db: Queries, { contact, searchText, event }: Insert): Promise<boolean> {
  return (await db.query(insertContact, [...insertValues(contact, searchText), ...event])).length > 0
}

const eventNames = eventColumns.split(', ')
// Without what is null, which a member that is not there is as well.
function zipped(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let i = 0; i < names.length; i++) if (values[i] !== null) row[names[i] as string] = values[i]
  return row
}
