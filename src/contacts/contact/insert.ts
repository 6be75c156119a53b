// Inserts contacts with their events. Concurrent inserts share one statement.

import { batcher } from '../../database/batcher.ts'
import type { Queries } from '../../database/client.ts'
import type { Context } from '../../kernel/context.ts'
import { type EventRow, eventCells, eventRecord } from '../../kernel/events/event.sql.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { perObject } from '../../kernel/per-object.ts'
import { searchTextOf } from './apply.ts'
import { insertContact, insertContacts, inserted } from './contact.sql.ts'
import type { Contact } from './row.ts'

/** A contact to insert, with its event. */
export interface Insert {
  contact: Contact
  event: EventRow
}

/** Inserts the contact, batched with concurrent inserts. False if a live contact of the organization has the address. */
export const insertNew = ({ db }: Context, insert: Insert): Promise<boolean> => batcherOf(db)(insert)

// One batcher per database or open transaction.
const batcherOf = perObject((db: Queries) => batcher<Insert, boolean>(inserts => insertAll(db, inserts)))

async function insertAll(db: Queries, inserts: readonly Insert[]): Promise<boolean[]> {
  const [first] = inserts
  if (first && inserts.length === 1) return [await insertOne(db, first)]
  const ids = await insertMany(db, inserts)
  return inserts.map(({ contact }) => ids.has(contact.id))
}

/** Inserts the contacts whose address is free; of contacts with the same address, the first. Resolves with the inserted ids. */
export async function insertMany(db: Queries, inserts: readonly Insert[]): Promise<ReadonlySet<string>> {
  const inserted = await db.query(insertContacts, asJson(inserts))
  return new Set(inserted.map(({ id }) => id))
}

const asJson = (inserts: readonly Insert[]): [contacts: string, events: string] => [
  storedJson(inserts.map(({ contact }) => inserted.record(withSearchText(contact)))),
  storedJson(inserts.map(({ event }) => eventRecord(event))),
]

async function insertOne(db: Queries, { contact, event }: Insert): Promise<boolean> {
  const rows = await db.query(insertContact, [...inserted.of(withSearchText(contact)), ...eventCells(event)])
  return rows.length > 0
}

const withSearchText = (contact: Contact) => ({ ...contact, searchText: searchTextOf(contact) })
