// Keeps which companies, deals, notes and tasks a batch of an import has written, and their former values.

import type { Context } from '../../../../kernel/context.ts'
import { storedJson } from '../../../../kernel/input/storable.ts'
import type { RowResult } from '../../../contact/batch/existing.ts'
import type { ContactImport } from '../../import.sql.ts'
import { firstOf } from '../../parts/parts.ts'
import type { FieldChanges } from '../undo.sql.ts'
import { companiesMade, insertRecords, type UndoneNoun } from './records.sql.ts'

interface WrittenRecord {
  record_id: string
  noun: UndoneNoun
  is_created: boolean
  version: number
  from_version: number
  changes: FieldChanges
}

/** Stores the results of a batch, in its transaction. */
export async function storeRecords(tx: Context, importId: string, noun: UndoneNoun, results: readonly RowResult[]): Promise<void> {
  const written = new Map<string, WrittenRecord>()
  for (const { id, outcome, version, fromVersion = 0, changed = {} } of results) {
    if (id === null || version === undefined || (outcome !== 'created' && outcome !== 'updated')) continue
    const before = written.get(id)
    const former = before?.changes ?? {}
    const both = Object.entries(changed).map(([field, [from, to]]) => [field, [former[field] ? former[field][0] : from, to]] as const)
    written.set(id, {
      ...{ record_id: id, noun, version, is_created: before?.is_created ?? outcome === 'created' },
      from_version: before?.from_version ?? fromVersion,
      changes: { ...former, ...Object.fromEntries(both) },
    })
  }
  await store(tx, importId, [...written.values()])
}

/** Stores the companies that were made for the contacts of a batch. */
export async function storeMadeCompanies(tx: Context, row: ContactImport, results: readonly RowResult[]): Promise<void> {
  const contacts = results.flatMap(({ id, outcome }) => (id !== null && (outcome === 'created' || outcome === 'updated') ? [id] : []))
  const by = row.startedBy ?? row.createdBy
  if (contacts.length === 0 || row.startedAt === null) return
  const made = await tx.db.query(companiesMade, [row.orgId, row.startedAt, contacts, by.id, firstOf(row)])
  const records = made.map(({ id, version }) => ({
    ...{ record_id: id, noun: 'company' as const, is_created: true, version, changes: {} },
    // Stored once: somebody may have changed one between two batches.
    from_version: version,
  }))
  await store(tx, row.id, records)
}

async function store(tx: Context, importId: string, records: readonly WrittenRecord[]): Promise<void> {
  if (records.length > 0) await tx.db.query(insertRecords, [importId, storedJson(records), tx.now().toISOString()])
}
