// Writes the rows of a batch, by the noun of their file.

import type { Context } from '../../../kernel/context.ts'
import { AppError, invalid, rowErrorOf } from '../../../kernel/errors.ts'
import { writeRowsByKeys } from '../../contact/batch/by-external-id.ts'
import type { RowResult } from '../../contact/batch/existing.ts'
import { checkContacts } from '../../contact/check.ts'
import type { OnConflict } from '../../contact/write.ts'
import { lockSource } from '../../external-ids/external-id.sql.ts'
import { keepExternalIds } from '../../external-ids/external-id.ts'
import type { ContactImport } from '../import.sql.ts'
import { companyRows } from './companies.ts'
import { contactInput } from './contacts.ts'
import { dealRows } from './deals.ts'
import type { ImportNoun } from './fields.ts'
import { noteRows, taskRows } from './hanging.ts'
import type { LinkedRow } from './links.ts'
import type { RowsOf, WriteRow } from './write-row.ts'

const rowsOf: Readonly<Record<Exclude<ImportNoun, 'contact'>, RowsOf>> = {
  company: companyRows,
  deal: dealRows,
  note: noteRows,
  task: taskRows,
}

/** The rows in their order. A row that fails leaves the others as they are. */
export async function writeRowsOf(
  tx: Context,
  { orgId, noun, source, onConflict }: ContactImport,
  rows: readonly LinkedRow[],
): Promise<RowResult[]> {
  // An import of the same system at the same time would add the same records.
  if (source !== null) await tx.db.query(lockSource, [orgId, source])
  const results =
    noun === 'contact' ? await writeContacts(tx, orgId, rows, onConflict) : await writeEach(tx, orgId, rowsOf[noun], rows, onConflict)
  if (source !== null) await keepExternalIds(tx, orgId, source, noun, writtenIds(rows, results))
  // A row whose values are stored already changes nothing.
  return results.map(result =>
    result.outcome === 'updated' && result.changed !== undefined && Object.keys(result.changed).length === 0
      ? { ...result, outcome: 'skipped' as const }
      : result,
  )
}

function writtenIds(rows: readonly LinkedRow[], results: readonly RowResult[]): Map<string, string> {
  const held = new Map<string, string>()
  for (const { index, id, outcome } of results) {
    const externalId = rows[index]?.linked.externalId
    if (externalId && id !== null && outcome !== 'failed') held.set(externalId, id)
  }
  return held
}

async function writeContacts(tx: Context, orgId: string, rows: readonly LinkedRow[], onConflict: OnConflict | null): Promise<RowResult[]> {
  const changes = await checkContacts(tx, orgId, rows.map(contactInput))
  for (const [index, { problems }] of rows.entries()) changes[index]?.problems.unshift(...problems)
  const known = new Map(rows.flatMap(({ linked }, index) => (linked.known === null ? [] : [[index, linked.known] as const])))
  return writeRowsByKeys(tx, orgId, changes, onConflict, known)
}

async function writeEach(
  tx: Context,
  orgId: string,
  prepare: RowsOf,
  rows: readonly LinkedRow[],
  onConflict: OnConflict | null,
): Promise<RowResult[]> {
  const write = await prepare(tx, orgId, rows)
  const results: RowResult[] = []
  // A later row with the id of an earlier one is the same record.
  const earlier = new Map<string, string>()
  for (const [index, row] of rows.entries()) {
    const { externalId } = row.linked
    const known = row.linked.known ?? earlier.get(externalId ?? '') ?? null
    const result = await writeRow(tx, index, { ...row, linked: { ...row.linked, known } }, onConflict, write)
    if (externalId !== null && result.id !== null && result.outcome !== 'failed') earlier.set(externalId, result.id)
    results.push(result)
  }
  return results
}

/** Behind a savepoint: a row that fails takes back what it has written. */
async function writeRow(tx: Context, index: number, row: LinkedRow, onConflict: OnConflict | null, write: WriteRow): Promise<RowResult> {
  await tx.db.execute('savepoint import_row')
  try {
    if (row.problems.length > 0) throw invalid(row.problems)
    const written = await write(tx, row, onConflict)
    await tx.db.execute('release savepoint import_row')
    return { index, ...written, error: null }
  } catch (error) {
    if (!(error instanceof AppError) || error.cause !== undefined) throw error
    await tx.db.execute('rollback to savepoint import_row')
    const { existingId = null } = error.extras as { existingId?: string | null }
    return { index, outcome: 'failed', id: existingId, error: rowErrorOf(error) }
  }
}
