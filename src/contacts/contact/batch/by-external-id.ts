// Writes rows whose contact is known by its id in another system. It comes before the address, which may have changed there.

import type { Context } from '../../../kernel/context.ts'
import { AppError, rowErrorOf } from '../../../kernel/errors.ts'
import { longId } from '../../external-ids/salesforce.ts'
import { apply, differences } from '../apply.ts'
import { linkChanges } from '../company/of-contact.ts'
import { contactsByExternalId, contactsById, lockContactsByKeys, lockExternalIds } from '../contact.sql.ts'
import { addressesIn, type Changes } from '../input.ts'
import type { Contact } from '../row.ts'
import type { OnConflict } from '../write.ts'
import { writeRows } from './batch.ts'
import { type Changed, type RowResult, updatedRow, writeFree } from './existing.ts'

/**
 * `writeRows` for rows that may have an external id, in the context's transaction. A row with the id of a live contact is that contact;
 * other rows go by their address, or add a contact. `known`: contacts that are known already, by the index of their row; without `onConflict`
 * they are changed, because the row is the same record.
 */
export async function writeRowsByKeys(
  context: Context,
  orgId: string,
  rows: readonly Changes[],
  onConflict: OnConflict | null,
  known: ReadonlyMap<number, string> = new Map(),
): Promise<RowResult[]> {
  const keys = rows.flatMap(keysOf)
  if (keys.length === 0 && known.size === 0) return writeRows(context, orgId, rows, onConflict)
  await context.db.query(lockExternalIds, [orgId])
  const addresses = rows.flatMap(addressesIn)
  await context.db.query(lockContactsByKeys, [orgId, keys, addresses, [...known.values()]])
  const results = new Map<number, RowResult>()
  // Rows with the same id or the same address are written one after the other: a later row sees the write of the first.
  for (let rest = [...rows.keys()]; rest.length > 0; ) {
    const [now, later] = firsts(rows, rest, known)
    for (const result of await writeDistinct(context, orgId, rows, now, onConflict, known)) results.set(result.index, result)
    rest = later
  }
  return rows.flatMap((_row, index) => results.get(index) ?? [])
}

function firsts(
  rows: readonly Changes[],
  indexes: readonly number[],
  known: ReadonlyMap<number, string>,
): [now: number[], later: number[]] {
  const seen = new Set<string>()
  const [now, later]: [number[], number[]] = [[], []]
  for (const index of indexes) {
    const row = rows[index]
    const externalId = row?.fields.externalId
    const addresses = row ? addressesIn(row) : []
    const id = known.get(index)
    const names = [
      ...(id === undefined ? [] : [`contact ${id}`]),
      ...(externalId ? [`id ${externalId}`] : []),
      ...addresses.map(address => `email ${address.toLowerCase()}`),
    ]
    ;(names.some(name => seen.has(name)) ? later : now).push(index)
    for (const name of names) seen.add(name)
  }
  return [now, later]
}

async function writeDistinct(
  context: Context,
  orgId: string,
  rows: readonly Changes[],
  indexes: readonly number[],
  onConflict: OnConflict | null,
  knownIds: ReadonlyMap<number, string>,
): Promise<RowResult[]> {
  const all = indexes.flatMap(index => rows[index] ?? [])
  const found = await context.db.query(contactsByExternalId, [orgId, all.flatMap(keysOf)])
  const known = new Map(found.map(contact => [contact.externalId, contact]))
  const ids = indexes.flatMap(index => knownIds.get(index) ?? [])
  const byId = new Map((ids.length > 0 ? await context.db.query(contactsById, [orgId, ids]) : []).map(contact => [contact.id, contact]))
  const contactOf = (index: number) => {
    const contact = byId.get(knownIds.get(index) ?? '')
    const row = rows[index]
    if (contact && contact.deletedAt === null) return contact
    return row && keysOf(row).flatMap(key => known.get(key) ?? [])[0]
  }
  const isKnown = (index: number) => rows[index]?.problems.length === 0 && contactOf(index) !== undefined
  const matched = indexes.filter(isKnown)
  const others = indexes.filter(index => !isKnown(index))
  const written = await writeRows(
    context,
    orgId,
    others.flatMap(index => rows[index] ?? []),
    onConflict,
  )
  const results = written.map((result, place) => ({ ...result, index: others[place] ?? result.index }))

  const changing = matched.flatMap(index => {
    const row = rows[index]
    const contact = contactOf(index)
    return row && contact ? [{ index, contact, changes: row }] : []
  })
  const actionOf = (index: number) => onConflict ?? (knownIds.has(index) ? 'update' : null)
  const updating = changing.filter(({ index }) => actionOf(index) === 'update')
  const linked = new Map(
    (updating.length > 0 ? await linkChanges(context, updating) : []).map((row, place) => [updating[place]?.index, row]),
  )
  const changes: Changed[] = []
  for (const { index, contact, changes: row } of changing)
    results.push(resultOf(index, contact, linked.get(index) ?? row, actionOf(index), changes))
  const refused = new Map((await writeFree(context, orgId, changes, results)).map(result => [result.index, result]))
  return results.map(result => refused.get(result.index) ?? result)
}

function resultOf(index: number, contact: Contact, row: Changes, onConflict: OnConflict | null, changes: Changed[]): RowResult {
  try {
    if (onConflict === null) throw takenId(contact)
    if (onConflict === 'skip') return { index, outcome: 'skipped', id: contact.id, error: null }
    // The stored spelling of the id stays, and of an equal address too.
    const email = row.fields.email?.toLowerCase() === contact.email?.toLowerCase() ? contact.email : row.fields.email
    const fields = apply(contact, {
      ...row,
      fields: {
        ...row.fields,
        ...(contact.externalId !== null && { externalId: contact.externalId }),
        ...(email !== undefined && { email }),
      },
    })
    const changed = differences(contact, fields)
    if (Object.keys(changed).length > 0) changes.push({ contact, fields, changed })
    return updatedRow(index, contact, changed)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { index, outcome: 'failed', id: contact.id, error: rowErrorOf(error) }
  }
}

const takenId = ({ id }: Contact) =>
  new AppError('ALREADY_EXISTS', 'A contact with this external id exists already', { field: 'external_id', existingId: id })

/** The external ids that name the row's contact: Salesforce writes ids of 15 characters in some files, and of 18 in others. */
export function keysOf({ fields: { externalId } }: Changes): string[] {
  if (!externalId) return []
  const isSalesforce = /^00[3Q][a-zA-Z0-9]{12}(?:[A-Z0-5]{3})?$/.test(externalId)
  if (!isSalesforce) return [externalId]
  const short = externalId.slice(0, 15)
  return [...new Set([externalId, short, longId(short)])]
}
