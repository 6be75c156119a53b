// New contacts into the table, each with its event, together with whoever else is creating at the moment in the same transaction or outside of any.

import type { Context } from '../context.ts'
import { convoy } from '../convoy.ts'
import type { Queries } from '../database/client.ts'
import { eventColumns } from '../events.ts'
import { insertColumns, insertContact, insertContacts, insertValues } from './contact.sql.ts'
import type { Contact } from './contact-row.ts'

/** A contact to be written; `event` in the order of `eventColumns`. */
export interface Insert {
  contact: Contact
  searchText: string
  event: unknown[]
}

/** Whether the contact was written: false where a live one of its organization has the address. */
export function insertNew({ db }: Context, insert: Insert): Promise<boolean> {
  let join = convoys.get(db)
  if (!join) convoys.set(db, (join = convoy(inserts => insertAll(db, inserts))))
  return join(insert)
}

// One for each database that this process writes to, and for each transaction while it lasts.
const convoys = new WeakMap<Queries, (insert: Insert) => Promise<boolean>>()

async function insertAll(db: Queries, inserts: readonly Insert[]): Promise<boolean[]> {
  const [first] = inserts
  if (first && inserts.length === 1) return [await insertOne(db, first)]
  const ids = await insertMany(db, inserts)
  return inserts.map(({ contact }) => ids.has(contact.id))
}

/** Writes those whose address is free, of several with one address the first, and resolves with their ids. */
export async function insertMany(db: Queries, inserts: readonly Insert[]): Promise<ReadonlySet<string>> {
  const contacts = inserts.map(({ contact, searchText }) => ({
    ...zipped(insertColumns, insertValues(contact, searchText)),
    // As it stands: its JSON text would become a JSON string.
    custom: contact.custom,
  }))
  const events = inserts.map(({ event }) => {
    const row = zipped(eventNames, event)
    return { ...row, changes: JSON.parse(String(row.changes)) as unknown }
  })
  const inserted = await db.query(insertContacts, [JSON.stringify(contacts), JSON.stringify(events)])
  return new Set(inserted.map(({ id }) => id))
}

async function insertOne(db: Queries, { contact, searchText, event }: Insert): Promise<boolean> {
  return (await db.query(insertContact, [...insertValues(contact, searchText), ...event])).length > 0
}

const eventNames = eventColumns.split(', ')
function zipped(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [index, name] of names.entries()) row[name] = values[index]
  return row
}
