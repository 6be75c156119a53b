// Inserts contacts with their events.

import type { Queries } from '../../database/queries.ts'
import type { Context } from '../../kernel/context.ts'
import { eventCells, eventRecord } from '../../kernel/events/event.sql.ts'
import { announce, eventRow, type NewEvent } from '../../kernel/events/events.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { searchTextOf } from './apply.ts'
import { insertContact, insertContacts, inserted } from './contact.sql.ts'
import { type Contact, contactEvents } from './row.ts'

/** A contact to insert, with the context of the caller who adds it. */
export interface Insert {
  context: Context
  contact: Contact
}

/**
 * Inserts the contacts whose address is free, by one statement; of contacts with the same address, the first. Resolves with the inserted
 * ids.
 */
export async function insertFree(inserts: readonly Insert[]): Promise<ReadonlySet<string>> {
  const [first] = inserts
  if (!first) return new Set()
  const { db, services } = first.context
  const added = inserts.length === 1 ? await insertOne(db, first) : await insertMany(db, inserts)
  if (added.length > 0) await announce({ db, services })
  return new Set(added.map(({ id }) => id))
}

const insertOne = (db: Queries, insert: Insert) =>
  db.query(insertContact, [...inserted.of(withSearchText(insert.contact)), ...eventCells(eventOf(insert))])

const insertMany = (db: Queries, inserts: readonly Insert[]) =>
  db.query(insertContacts, [
    storedJson(inserts.map(({ contact }) => inserted.record(withSearchText(contact)))),
    storedJson(inserts.map(insert => eventRecord(eventOf(insert)))),
  ])

const withSearchText = (contact: Contact) => ({ ...contact, searchText: searchTextOf(contact) })

function eventOf({ context, contact: { id, orgId, ownerUserId } }: Insert) {
  const changes = ownerUserId === null ? {} : { ownerUserId }
  const event: NewEvent = { type: contactEvents.created, entityId: id, contactId: id, orgId, changes }
  return eventRow(context, event)
}
