// Writes up to 100 contacts in one call. All rows are validated before the first write. Unless atomic, rows fail independently.

import { type Context, inTransaction, organizationOf } from '../../../kernel/context.ts'
import { AppError, boundedRows, invalid, rowErrorOf } from '../../../kernel/errors.ts'
import { maxProblems } from '../../../kernel/input/bounded.ts'
import { type Problem, problem } from '../../../kernel/input/problem.ts'
import { emailKeysOf } from '../addresses/address.ts'
import { differences } from '../apply.ts'
import { checkContacts } from '../check.ts'
import type { Changes, ContactInput } from '../input.ts'
import { insertFree } from '../insert.ts'
import type { Contact } from '../row.ts'
import { newContact } from '../steps.ts'
import { type OnConflict, writeTaken } from '../write.ts'
import { type RowResult, writeExisting } from './existing.ts'

export interface BatchOptions {
  /** Action for a row whose address a live contact has. Absent: the row fails. */
  onConflict?: OnConflict | null
  /** Whether all rows are written or none. */
  atomic?: boolean | null
}

export interface BatchResult {
  results: RowResult[]
  succeeded: number
  failed: number
}

export const maxRows = 100

/** Adds or updates the rows in their order. An atomic batch throws the error of its first failed row, with the row's `index`. */
export async function batchContacts(
  context: Context,
  inputs: readonly ContactInput[],
  { onConflict, atomic }: BatchOptions,
): Promise<BatchResult> {
  const orgId = organizationOf(context)
  checkSize(inputs.length)
  await context.countWrites?.(inputs.length - 1)
  const rows = await checkContacts(context, orgId, inputs)
  if (!atomic) return summed(await writeRows(context, orgId, rows, onConflict ?? null))

  const problems = rows.flatMap((row, index) => row.problems.map(problem => ({ ...problem, path: ['contacts', index, ...problem.path] })))
  if (problems.length > 0) throw invalid(problems)
  return context.db.transaction(async tx => {
    const results = await writeRows(inTransaction(context, tx), orgId, rows, onConflict ?? null)
    const failed = results.find(({ outcome }) => outcome === 'failed')
    if (failed) throw rowError(failed, results)
    return summed(results)
  })
}

/** Writes validated rows; in a transaction with a few statements for all of them. */
export async function writeRows(
  context: Context,
  orgId: string,
  rows: readonly Changes[],
  onConflict: OnConflict | null,
): Promise<RowResult[]> {
  const created = await insertFresh(context, orgId, rows)
  // The existing contacts are locked together, in sorted order: two batches that lock in the order of their rows could deadlock. Outside of
  // a transaction each row is written separately, which releases its lock at once.
  const existing = context.db.inTransaction ? await writeExisting(context, orgId, rows, created, onConflict) : new Map<number, RowResult>()
  // The rows share the limit on reported problems.
  const maxPerRow = Math.max(2, Math.floor((2 * maxProblems) / rows.length))
  const results: RowResult[] = []
  for (const [index, row] of rows.entries()) {
    const id = created.get(index)
    const written = id ? { index, outcome: 'created' as const, id, error: null, version: 1 } : existing.get(index)
    results.push(written ?? (await writeRow(context, orgId, index, row, onConflict, maxPerRow)))
  }
  return results
}

/** Inserts the rows whose address is free, in one statement; of rows with the same address, the first. Returns ids by row index. */
async function insertFresh(context: Context, orgId: string, rows: readonly Changes[]): Promise<Map<number, string>> {
  const addresses = new Set<string>()
  const fresh = new Map<number, Contact>()
  for (const [index, row] of rows.entries()) {
    if (row.problems.length > 0) continue
    const contact = newContact(context, orgId, row)
    const keys = emailKeysOf(contact)
    if (keys.some(key => addresses.has(key))) continue
    for (const key of keys) addresses.add(key)
    fresh.set(index, contact)
  }
  const ids = await insertFree([...fresh.values()].map(contact => ({ context, contact })))
  return new Map([...fresh].filter(([, { id }]) => ids.has(id)).map(([index, { id }]) => [index, id]))
}

async function writeRow(
  context: Context,
  orgId: string,
  index: number,
  row: Changes,
  onConflict: OnConflict | null,
  maxPerRow: number,
): Promise<RowResult> {
  try {
    if (row.problems.length > 0) throw invalid(row.problems, maxPerRow)
    const { contact, outcome, before } = await writeTaken(context, orgId, row, onConflict)
    const changed = before ? differences(before, contact) : {}
    return { index, outcome, id: contact.id, error: null, version: contact.version, changed }
  } catch (error) {
    // A database error has aborted the open transaction, if there is one, and with it all rows.
    if (!(error instanceof AppError) || (context.db.inTransaction && error.cause !== undefined)) throw error
    const { existingId = null } = error.extras as { existingId?: string | null }
    return { index, outcome: 'failed', id: existingId, error: rowErrorOf(error) }
  }
}

const summed = (results: RowResult[]): BatchResult => {
  const failed = results.filter(({ outcome }) => outcome === 'failed').length
  return { results: sharing(results), succeeded: results.length - failed, failed }
}

/** Limits the problems of all rows together, because they are in one response. */
export function sharing<Row extends { error: { problems: readonly Problem[] | null } | null }>(rows: readonly Row[]): Row[] {
  const shares = boundedRows(rows.map(({ error }) => error?.problems ?? null))
  return rows.map((row, index) => (row.error ? { ...row, error: { ...row.error, problems: shares[index] ?? null } } : row))
}

function rowError({ index, id, error }: RowResult, results: readonly RowResult[]): AppError {
  const { code, message } = error ?? { code: 'INTERNAL' as const, message: '' }
  if (code !== 'ALREADY_EXISTS') return new AppError(code, `Row ${index}: ${message}`, { index })
  // Another row of the same batch has the address. The rollback removes its contact, so the message names the row instead of the id.
  const twin = results.find(result => result.outcome === 'created' && result.id === id)
  const detail = twin ? `Row ${index}: row ${twin.index} has the same email` : `Row ${index}: ${message}`
  return new AppError(code, detail, { index, field: 'email', existingId: twin ? null : id })
}

function checkSize(size: number): void {
  if (size === 0) throw invalid(problem('contacts', 'too_short', [], { min_length: 1, actual_length: 0 }))
  if (size > maxRows) throw invalid(problem('contacts', 'too_long', null, { max_length: maxRows, actual_length: size }))
}
