// What a bulk change does to a batch of contacts, by the rules of single writes, in the transaction of the batch.

import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { eventRecord } from '../../kernel/events/event.sql.ts'
import { eventRow } from '../../kernel/events/events.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import type { Contact } from '../contact/row.ts'
import { apply, differences } from '../write/change.ts'
import { type Changed, writeChanged } from '../write/existing.ts'
import { type Changes, readContact } from '../write/input.ts'
import { writeRestored } from '../write/steps.ts'
import { deleteContacts, lockContacts, type Reversal } from './bulk.sql.ts'

export interface Acted {
  changed: number
  unchanged: number
  failed: number
  reversals: { contact_id: string; reversal: Reversal }[]
}

export const nothing = (): Acted => ({ changed: 0, unchanged: 0, failed: 0, reversals: [] })

/** Applies the changes to the live ones among the contacts. One that the rules refuse, such as for too many tags, has failed. */
export async function updateBatch(tx: Context, orgId: string, ids: readonly string[], changes: Changes): Promise<Acted> {
  const acted = nothing()
  const written: Changed[] = []
  for (const contact of await live(tx, orgId, ids)) {
    const after = attempted(() => apply(contact, changes))
    if (!after) {
      acted.failed++
      continue
    }
    const changed = differences(contact, after)
    if (Object.keys(changed).length === 0) {
      acted.unchanged++
      continue
    }
    written.push({ contact, fields: after, changed })
    acted.reversals.push({ contact_id: contact.id, reversal: reversalOf(contact, after) })
  }
  if (written.length > 0) await writeChanged(tx, orgId, written)
  return { ...acted, changed: written.length }
}

/** Deletes the live ones among the contacts. */
export async function deleteBatch(tx: Context, orgId: string, ids: readonly string[]): Promise<Acted> {
  const found = (await live(tx, orgId, ids)).map(({ id }) => id)
  if (found.length === 0) return nothing()
  const events = found.map(id => eventRecord(eventRow(tx, { type: 'contact.deleted', entityId: id, contactId: id, orgId })))
  await tx.db.query(deleteContacts, [orgId, tx.now().toISOString(), found, storedJson(events)])
  await tx.db.afterCommit(tx.services.outbox.announce)
  return { ...nothing(), changed: found.length, reversals: found.map(id => ({ contact_id: id, reversal: { restore: true } })) }
}

/** Takes changes back: restores what was deleted, unless its address is taken by now, and sets tags and owner back where they still are. */
export async function undoBatch(tx: Context, orgId: string, reversals: ReadonlyMap<string, Reversal>): Promise<Acted> {
  const acted = nothing()
  const written: Changed[] = []
  for (const contact of await tx.db.query(lockContacts, [orgId, [...reversals.keys()]])) {
    const { restore, owner, addTags = [], removeTags = [] } = reversals.get(contact.id) ?? {}
    if (restore) {
      if (contact.deletedAt === null) acted.unchanged++
      else if (await restored(tx, contact)) acted.changed++
      else acted.failed++
      continue
    }
    const isOwner = owner !== undefined && contact.ownerUserId === owner.from
    const changes: Changes = { ...readContact({}), addTags, removeTags, fields: isOwner ? { ownerUserId: owner.to } : {} }
    const after = contact.deletedAt === null ? attempted(() => apply(contact, changes)) : null
    const changed = after ? differences(contact, after) : {}
    if (!after) acted.failed++
    else if (Object.keys(changed).length === 0) acted.unchanged++
    else written.push({ contact, fields: after, changed })
  }
  if (written.length > 0) await writeChanged(tx, orgId, written)
  return { ...acted, changed: acted.changed + written.length }
}

const live = async (tx: Context, orgId: string, ids: readonly string[]) =>
  (await tx.db.query(lockContacts, [orgId, ids])).filter(({ deletedAt }) => deletedAt === null)

function reversalOf(before: Contact, after: Pick<Contact, 'tags' | 'ownerUserId'>): Reversal {
  const added = after.tags.filter(tag => !before.tags.includes(tag))
  const removed = before.tags.filter(tag => !after.tags.includes(tag))
  const hasOwner = before.ownerUserId !== after.ownerUserId
  return { addTags: removed, removeTags: added, ...(hasOwner && { owner: { from: after.ownerUserId, to: before.ownerUserId } }) }
}

async function restored(tx: Context, contact: Contact): Promise<boolean> {
  try {
    return (await writeRestored(tx, contact)) !== null
  } catch (error) {
    // An error of the database has aborted the transaction, and with it the batch.
    if (!(error instanceof AppError) || error.cause !== undefined) throw error
    return false
  }
}

function attempted<Value>(make: () => Value): Value | null {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return null
  }
}
