// Inserts contacts with their events.

import type { Queries } from '../../database/queries.ts'
import { type Context, inTransaction } from '../../kernel/context.ts'
import { eventCells, eventRecord } from '../../kernel/events/event.sql.ts'
import { announce, eventRow, type NewEvent } from '../../kernel/events/events.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { assignOwners } from '../assignment/assign.ts'
import { searchTextOf } from './apply.ts'
import { asksForCompany, companyWords, linkNew } from './company/of-contact.ts'
import { insertContact, insertContacts, inserted } from './contact.sql.ts'
import { type Contact, contactEvents } from './row.ts'

/** A contact to insert, with the context of the caller who adds it. */
export interface Insert {
  context: Context
  contact: Contact
}

/**
 * Inserts the contacts whose address is free, by one statement; of contacts with the same address, the first. Further statements link those with
 * a company, and give those without an owner one if their organization has an assignment rule. Resolves with the inserted ids.
 */
export async function insertFree(inserts: readonly Insert[]): Promise<ReadonlySet<string>> {
  const [first] = inserts
  if (!first) return new Set()
  const { db, services } = first.context
  if (inserts.some(asksForCompany)) {
    // The company keeps its name until the contact is there.
    if (!db.inTransaction) return insertTogether(inserts, first.context)
    await linkNew(first.context, inserts)
  }
  const found = await insert(db, inserts, false)
  const added = new Set(found.flatMap(({ id, isHeld }) => (isHeld ? [] : [id])))
  const held = new Set(found.flatMap(({ id, isHeld }) => (isHeld ? [id] : [])))
  if (held.size > 0) {
    const waiting = inserts.filter(({ contact }) => held.has(contact.id))
    await assignOwners(
      db,
      waiting.map(({ contact }) => contact),
    )
    for (const { id } of await insert(db, waiting, true)) added.add(id)
  }
  if (added.size > 0) await announce({ db, services })
  return added
}

/** Calls `insertFree` again, in one transaction. */
function insertTogether(inserts: readonly Insert[], first: Context): Promise<ReadonlySet<string>> {
  const given = inserts.map(({ contact }) => companyWords(contact))
  // Of several callers, each is repeated alone by its batcher.
  const isShared = inserts.some(({ context }) => context !== first)
  return first.db.transaction(
    tx => {
      // A repeated transaction begins with the given values.
      for (const [index, { contact }] of inserts.entries()) Object.assign(contact, given[index])
      return insertFree(inserts.map(({ context, contact }) => ({ context: inTransaction(context, tx), contact })))
    },
    { isShared, isRepeatable: !isShared },
  )
}

/** `isAssigned`: whether the assignment rule was asked for their owners. */
function insert(db: Queries, inserts: readonly Insert[], isAssigned: boolean) {
  const [first] = inserts
  if (first && inserts.length === 1)
    return db.query(insertContact, [...inserted.of(withSearchText(first.contact)), isAssigned, ...eventCells(eventOf(first))])
  return db.query(insertContacts, [
    storedJson(inserts.map(({ contact }) => inserted.record(withSearchText(contact)))),
    storedJson(inserts.map(insert => eventRecord(eventOf(insert)))),
    isAssigned,
  ])
}

const withSearchText = (contact: Contact) => ({ ...contact, searchText: searchTextOf(contact) })

function eventOf({ context, contact: { id, orgId, ownerUserId } }: Insert) {
  const changes = ownerUserId === null ? {} : { ownerUserId }
  const event: NewEvent = { type: contactEvents.created, entityId: id, contactId: id, orgId, changes }
  return eventRow(context, event)
}
