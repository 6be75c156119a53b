// Inserts contacts with their events.

import type { Queries } from '../../database/queries.ts'
import { type Context, inTransaction } from '../../kernel/context.ts'
import { eventCells, eventRecord } from '../../kernel/events/event.sql.ts'
import { announce, eventRow, type NewEvent } from '../../kernel/events/events.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { assignOwners } from '../assignment/assign.ts'
import { searchTextOf } from './apply.ts'
import { asksForCompany, companyWords, linkFound, linkNew } from './company/of-contact.ts'
import { insertContact, insertContacts, inserted } from './contact.sql.ts'
import { type Contact, contactEvents } from './row.ts'

/** A contact to insert, with the context of the caller who adds it. */
export interface Insert {
  context: Context
  contact: Contact
}

/**
 * Inserts the contacts whose address is free, by one statement; of contacts with the same address, the first. Further statements link those with
 * a company, or whose address has the domain of one, and give those without an owner one if their organization has an assignment rule. Resolves
 * with the inserted ids.
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
  const held = new Map(found.filter(({ isHeld }) => isHeld).map(one => [one.id, one]))
  if (held.size > 0) for (const { id } of await insertHeld(db, inserts, held)) added.add(id)
  if (added.size > 0) await announce({ db, services })
  return added
}

/** Inserts contacts after they have got an owner, and the company with the domain of their address. */
async function insertHeld(db: Queries, inserts: readonly Insert[], held: ReadonlyMap<string, Held>) {
  const waiting = inserts.filter(({ contact }) => held.has(contact.id))
  const contacts = waiting.map(({ contact }) => contact)
  const unowned = contacts.filter(({ id }) => held.get(id)?.wantsOwner)
  if (unowned.length > 0) await assignOwners(db, unowned)
  const linking = contacts.flatMap(contact => {
    const companyId = held.get(contact.id)?.companyId ?? null
    return companyId === null ? [] : [{ contact, companyId }]
  })
  if (linking.length === 0) return insert(db, waiting, true)
  // The company keeps its name until the contacts are there.
  return db.transaction(async tx => {
    await linkFound(tx, linking)
    return insert(tx, waiting, true)
  })
}
interface Held {
  wantsOwner: boolean
  companyId: string | null
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

/** `isSought`: whether their owners and companies were sought. */
function insert(db: Queries, inserts: readonly Insert[], isSought: boolean) {
  const [first] = inserts
  if (first && inserts.length === 1)
    return db.query(insertContact, [...inserted.of(withSearchText(first.contact)), isSought, ...eventCells(eventOf(first))])
  return db.query(insertContacts, [
    storedJson(inserts.map(({ contact }) => inserted.record(withSearchText(contact)))),
    storedJson(inserts.map(insert => eventRecord(eventOf(insert)))),
    isSought,
  ])
}

const withSearchText = (contact: Contact) => ({ ...contact, searchText: searchTextOf(contact) })

function eventOf({ context, contact: { id, orgId, ownerUserId } }: Insert) {
  const changes = ownerUserId === null ? {} : { ownerUserId }
  const event: NewEvent = { type: contactEvents.created, entityId: id, contactId: id, orgId, changes }
  return eventRow(context, event)
}
