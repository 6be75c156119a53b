// Handles the rows of a batch whose addresses live contacts already have: reads, or locks and changes them, together.

import type { Context } from '../../../kernel/context.ts'
import { AppError, type RowError, rowErrorOf } from '../../../kernel/errors.ts'
import { eventRecord } from '../../../kernel/events/event.sql.ts'
import { announce, eventRow } from '../../../kernel/events/events.ts'
import { storedJson } from '../../../kernel/input/storable.ts'
import { emailKeysOf } from '../addresses/address.ts'
import { takenAmong } from '../addresses/taken.ts'
import { apply, differences, searchTextOf } from '../apply.ts'
import { linkChanges } from '../company/of-contact.ts'
import { contactsByEmail, lockContactsByEmail, updateContactRows, updated } from '../contact.sql.ts'
import type { Changes } from '../input.ts'
import { type Contact, type ContactFields, contactEvents } from '../row.ts'
import { takenError } from '../steps.ts'
import type { OnConflict, WriteOutcome } from '../write.ts'

export interface RowResult {
  index: number
  outcome: WriteOutcome
  /** The id of the written contact; for a failed row the id of the contact with its address, if any. */
  id: string | null
  error: RowError | null
  /** Of a contact that was created or updated. */
  version?: number
  /** Of the record before a row of another noun. */
  fromVersion?: number
  /** The differences of an updated contact. */
  changed?: Changed['changed']
}

/**
 * Writes the rows whose contact exists, in the context's transaction. Of rows with the same address only the first is written here, because
 * later ones must see its result. Resolves with results by row index.
 */
export async function writeExisting(
  context: Context,
  orgId: string,
  rows: readonly Changes[],
  created: ReadonlyMap<number, string>,
  onConflict: OnConflict | null,
): Promise<Map<number, RowResult>> {
  const results = new Map<number, RowResult>()
  const firstOf = new Map<string, number>()
  for (const [index, { fields, problems }] of rows.entries()) {
    const address = fields.email?.toLowerCase()
    if (address !== undefined && problems.length === 0 && !firstOf.has(address)) firstOf.set(address, index)
  }
  const wanted = [...firstOf].filter(([, index]) => !created.has(index))
  if (wanted.length === 0) return results
  const statement = onConflict === 'update' ? lockContactsByEmail : contactsByEmail
  const found = await context.db.query(statement, [orgId, wanted.map(([address]) => address)])

  const matched = found.flatMap(contact => {
    const named = emailKeysOf(contact).flatMap(key => firstOf.get(key) ?? [])
    // A later row that names the contact by another address must see the result of the first.
    const index = named.length > 0 ? Math.min(...named) : undefined
    const row = index === undefined ? undefined : rows[index]
    // The contact may have been deleted while the lock was awaited; then the row is written separately.
    return index === undefined || !row || contact.deletedAt !== null ? [] : [{ index, contact, changes: row }]
  })
  const linked = onConflict === 'update' ? await linkChanges(context, matched) : []
  const changes: Changed[] = []
  for (const [place, { index, contact, changes: row }] of matched.entries())
    results.set(index, resultOf(index, contact, linked[place] ?? row, onConflict, changes))
  for (const refused of await writeFree(context, orgId, changes, results.values())) results.set(refused.index, refused)
  return results
}

/** Writes the changes, unless a contact would get an address of another one. Returns the failures that replace its results. */
export async function writeFree(
  context: Context,
  orgId: string,
  changes: readonly Changed[],
  results: Iterable<RowResult>,
): Promise<RowResult[]> {
  const taken = await takenAmong(context.db, orgId, changes)
  const free = changes.filter(({ contact }) => !taken.has(contact.id))
  if (free.length > 0) await writeChanged(context, orgId, free)
  if (taken.size === 0) return []
  return [...results].flatMap(({ index, outcome, id }) => {
    const other = outcome === 'updated' && id !== null ? taken.get(id) : undefined
    return other === undefined ? [] : [{ index, outcome: 'failed' as const, id: other, error: rowErrorOf(takenError(other)) }]
  })
}

/** A locked contact, with its fields after a change. */
export interface Changed {
  contact: Contact
  fields: ContactFields
  changed: Record<string, [unknown, unknown]>
}

function resultOf(index: number, contact: Contact, row: Changes, onConflict: OnConflict | null, changes: Changed[]): RowResult {
  try {
    if (onConflict === null) throw takenError(contact.id)
    if (onConflict === 'skip') return { index, outcome: 'skipped', id: contact.id, error: null }
    // The address is not changed, so its stored spelling stays.
    const fields = apply(contact, { ...row, fields: { ...row.fields, email: contact.email } })
    const changed = differences(contact, fields)
    if (Object.keys(changed).length > 0) changes.push({ contact, fields, changed })
    return updatedRow(index, contact, changed)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { existingId = null } = error.extras as { existingId?: string | null }
    return { index, outcome: 'failed', id: existingId, error: rowErrorOf(error) }
  }
}

export const updatedRow = (index: number, { id, version }: Contact, changed: Changed['changed']): RowResult => ({
  ...{ index, outcome: 'updated', id, error: null, changed },
  version: Object.keys(changed).length > 0 ? version + 1 : version,
})

/** Writes the contacts and their events in one statement. */
export async function writeChanged(context: Context, orgId: string, changes: readonly Changed[]): Promise<void> {
  const contacts = changes.map(({ contact, fields }) => ({
    id: contact.id,
    ...updated.record({ ...fields, searchText: searchTextOf(fields) }),
  }))
  const events = changes.map(({ contact, changed }) =>
    eventRecord(eventRow(context, { type: contactEvents.updated, entityId: contact.id, contactId: contact.id, changes: changed, orgId })),
  )
  await context.db.query(updateContactRows, [orgId, context.now().toISOString(), storedJson(contacts), storedJson(events)])
  await announce(context)
}
