// Up to 100 contacts in one call. Everything is checked before anything is written; unless it is all or nothing, a bad row fails alone.

import { maxProblems } from '../bounded.ts'
import { type Context, inTransaction, organizationOf } from '../context.ts'
import { AppError, boundedRows, invalid, type Problem } from '../errors.ts'
import { eventValues } from '../events.ts'
import { lockContactsByEmail } from './contact.sql.ts'
import { type OnConflict, type WriteOutcome, writeUpsert } from './contact.ts'
import { searchTextOf } from './contact-change.ts'
import { checkedContacts } from './contact-check.ts'
import type { Changes, ContactInput } from './contact-input.ts'
import { insertMany } from './contact-insert.ts'
import type { Contact } from './contact-row.ts'
import { newContact, taken } from './contact-write.ts'

export interface BatchOptions {
  /** What happens to a row whose address a live contact has. Absent: the row fails. */
  onConflict?: OnConflict | null
  /** All rows or none. */
  atomic?: boolean | null
}

export interface RowResult {
  index: number
  outcome: WriteOutcome
  /** The contact; of a row that failed the one in its way, if there is one. */
  id: string | null
  error: { code: string; message: string; problems: readonly Problem[] | null } | null
}

export interface BatchResult {
  results: RowResult[]
  succeeded: number
  failed: number
}

const mostRows = 100

/** Adds or updates the rows in their order. An atomic batch throws the error of its first bad row, with the row's `index`. */
export async function batchContacts(
  context: Context,
  inputs: readonly ContactInput[],
  { onConflict, atomic }: BatchOptions,
): Promise<BatchResult> {
  const orgId = organizationOf(context)
  checkSize(inputs.length)
  await context.countWrites?.(inputs.length - 1)
  const rows = await checkedContacts(context, orgId, inputs)
  if (!atomic) return summed(await writeRows(context, orgId, rows, onConflict ?? null))

  const problems = rows.flatMap((row, index) => row.problems.map(problem => ({ ...problem, path: [index, ...problem.path] })))
  if (problems.length > 0) throw invalid(problems)
  return context.db.transaction(async tx => {
    const results = await writeRows(inTransaction(context, tx), orgId, rows, onConflict ?? null)
    const failed = results.find(({ outcome }) => outcome === 'failed')
    if (failed) throw rowError(failed, results)
    return summed(results)
  })
}

async function writeRows(context: Context, orgId: string, rows: readonly Changes[], onConflict: OnConflict | null): Promise<RowResult[]> {
  const created = await insertFresh(context, orgId, rows)
  // All that are there at once, in one order: locked one by one in the order of the rows, two batches could wait for each other in a
  // circle. Outside of a transaction each row is written, and let go, alone.
  if (context.db.inTransaction && onConflict === 'update') {
    const addresses = rows.flatMap(({ fields }, index) => (fields.email && !created.has(index) ? [fields.email] : []))
    if (addresses.length > 0) await context.db.query(lockContactsByEmail, [orgId, addresses])
  }
  // Rows share the room for what is wrong with them.
  const most = Math.max(2, Math.floor((2 * maxProblems) / rows.length))
  const results: RowResult[] = []
  for (const [index, row] of rows.entries()) {
    const id = created.get(index)
    results.push(id ? { index, outcome: 'created', id, error: null } : await writeRow(context, orgId, index, row, onConflict, most))
  }
  return results
}

/** Adds all rows whose address nobody has, of several with one address the first, in one statement: index to id. */
async function insertFresh(context: Context, orgId: string, rows: readonly Changes[]): Promise<Map<number, string>> {
  const addresses = new Set<string>()
  const fresh = new Map<number, Contact>()
  for (const [index, row] of rows.entries()) {
    const address = row.fields.email?.toLowerCase()
    if (row.problems.length > 0 || (address !== undefined && addresses.has(address))) continue
    if (address !== undefined) addresses.add(address)
    fresh.set(index, newContact(context, orgId, row))
  }
  if (fresh.size === 0) return new Map()

  const inserts = [...fresh.values()].map(contact => ({
    contact,
    searchText: searchTextOf(contact),
    event: eventValues(context, { type: 'contact.created', entityId: contact.id, contactId: contact.id }),
  }))
  const ids = await insertMany(context.db, inserts)
  if (ids.size > 0) await context.db.afterCommit(context.services.outbox.announce)
  return new Map([...fresh].filter(([, { id }]) => ids.has(id)).map(([index, { id }]) => [index, id]))
}

async function writeRow(
  context: Context,
  orgId: string,
  index: number,
  row: Changes,
  onConflict: OnConflict | null,
  most: number,
): Promise<RowResult> {
  try {
    if (row.problems.length > 0) throw invalid(row.problems, most)
    const { contact, outcome } = await writeUpsert(context, orgId, row, onConflict ?? 'skip')
    if (outcome === 'skipped' && onConflict === null) throw taken(contact)
    return { index, outcome, id: contact.id, error: null }
  } catch (error) {
    // What the database itself refused has ended an open transaction, and with it all rows.
    if (!(error instanceof AppError) || (context.db.inTransaction && error.cause !== undefined)) throw error
    const { code, message, extras } = error
    const { existingId = null, problems = null } = extras as { existingId?: string | null; problems?: readonly Problem[] }
    return { index, outcome: 'failed', id: existingId, error: { code, message, problems } }
  }
}

const summed = (results: RowResult[]): BatchResult => {
  const failed = results.filter(({ outcome }) => outcome === 'failed').length
  return { results: sharing(results), succeeded: results.length - failed, failed }
}

/** Rows share an answer, and so the room for what is wrong with them. */
export function sharing<Row extends { error: { problems: readonly Problem[] | null } | null }>(rows: readonly Row[]): Row[] {
  const shares = boundedRows(rows.map(({ error }) => error?.problems ?? null))
  return rows.map((row, index) => (row.error ? { ...row, error: { ...row.error, problems: shares[index] ?? null } } : row))
}

function rowError({ index, id, error }: RowResult, results: readonly RowResult[]): AppError {
  const { code, message } = error ?? { code: 'INTERNAL', message: '' }
  if (code !== 'ALREADY_EXISTS') return new AppError(code as AppError['code'], `Row ${index}: ${message}`, { index })
  // What stands in its way may be undone with it.
  const twin = results.find(result => result.outcome === 'created' && result.id === id)
  const detail = twin ? `Row ${index}: row ${twin.index} has the same email` : `Row ${index}: ${message}`
  return new AppError(code, detail, { index, field: 'email', existingId: twin ? null : id })
}

function checkSize(size: number): void {
  if (size === 0)
    throw invalid({
      path: ['input'],
      type: 'too_short',
      message: 'List should have at least 1 item after validation, not 0',
      input: [],
      context: { min_length: 1, actual_length: 0 },
    })
  if (size > mostRows) {
    const message = `List should have at most ${mostRows} items after validation, not ${size}`
    throw invalid({ path: ['input'], type: 'too_long', message, input: null, context: { max_length: mostRows, actual_length: size } })
  }
}
