// Transactions: the entries of the ledger as people see them, and taking credits outright.

import { type Keyed, Page, type PageArgs, pageOf } from '../contacts/page.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/client.ts'
import { type FilterValue, filterValue } from '../filter-values.ts'
import type { Actor } from '../identity/principal.ts'
import { creditsOf } from '../money.ts'
import { payerOf, seeTo } from './account.ts'
import { amountProblems, checkedAmount, referenceProblems } from './credit-input.ts'
import { take } from './draw.ts'
import type { Line } from './ledger.sql.ts'
import type { Entry, EntryType } from './ledger.ts'

/** A part of an amount, by the grant it came from or went to. */
export interface Part {
  grantId: string
  category: Line['category']
  amount: number
}

export const partsOf = (lines: readonly Line[]): Part[] =>
  lines.map(({ grantId, category, micro }) => ({ grantId, category, amount: creditsOf(micro) }))

/** What moved, and how the account stood around it. */
export interface Transfer {
  transactionId: string
  userId: string
  amount: number
  balanceBefore: number
  balanceAfter: number
  available: number
  breakdown: Part[]
  reference: string | null
  createdAt: string
}

export const transferOf = (
  { userId, amount, reference }: Pick<Transfer, 'userId' | 'amount' | 'reference'>,
  { transactionId, balanceBeforeMicro, balanceAfterMicro, availableMicro, breakdown, createdAt }: Entry,
): Transfer => ({
  transactionId,
  userId,
  amount,
  balanceBefore: creditsOf(balanceBeforeMicro),
  balanceAfter: creditsOf(balanceAfterMicro),
  available: creditsOf(availableMicro),
  breakdown: partsOf(breakdown),
  reference,
  createdAt,
})

export interface DeductCredits {
  userId: string
  /** Credits, above 0, with at most 6 decimals. */
  amount: number
  reference?: string | null
}

/** Takes credits from a user, all or nothing. Throws INSUFFICIENT_CREDITS, and NOT_FOUND for a user nobody knows. */
export async function deductCredits(context: Context, { userId, amount, reference = null }: DeductCredits): Promise<Transfer> {
  const micro = checkedAmount(amount, [...amountProblems(['amount'], amount), ...referenceProblems(reference)])
  const entry = await take(context, { userId, type: 'debit', amountMicro: -micro, reference })
  return transferOf({ userId, amount, reference }, entry)
}

/** An entry of the ledger. */
export interface Transaction {
  id: string
  userId: string
  type: EntryType
  /** What it added to the balance, or took from it. */
  amount: number
  /** What it added to the reserved part of the balance, or took from it. */
  reserved: number
  balanceAfter: number
  availableAfter: number
  breakdown: Part[]
  holdId: string | null
  reference: string | null
  actor: Actor
  door: string
  operation: string
  requestId: string
  createdAt: string
}

type Columns = readonly [
  seq: number,
  id: string,
  userId: string,
  type: EntryType,
  amountMicro: number,
  reservedMicro: number,
  balanceAfterMicro: number,
  reservedAfterMicro: number,
  breakdown: Line[],
  holdId: string | null,
  reference: string | null,
  actorType: Actor['type'],
  actorId: string | null,
  actorName: string | null,
  door: string,
  operation: string,
  requestId: string,
  createdAt: string,
]

const entryColumns = `seq, id, user_id, type, amount_micro, reserved_micro, balance_after_micro, reserved_after_micro, breakdown, hold_id, reference,
  actor_type, actor_id, actor_name, door, operation, request_id, created_at`
function entryRow(columns: readonly never[]): Keyed<Transaction> {
  // The statement selects `entryColumns`, which are these.
  const [seq, id, userId, type, amount, reserved, balance, held, breakdown, holdId, reference, ...how] = columns as unknown as Columns
  const [actorType, actorId, actorName, door, operation, requestId, createdAt] = how
  const row: Transaction = {
    id,
    userId,
    type,
    amount: creditsOf(amount),
    reserved: creditsOf(reserved),
    balanceAfter: creditsOf(balance),
    availableAfter: creditsOf(balance - held),
    breakdown: partsOf(breakdown),
    holdId,
    reference,
    actor: { type: actorType, id: actorId, name: actorName },
    door,
    operation,
    requestId,
    createdAt,
  }
  return { row, key: String(seq) }
}

// Two statements, so that either finds its page in an index, however many entries there are.
const readEntries = statement<Keyed<Transaction>>(
  'credits_entries',
  `select ${entryColumns} from credit_entries where user_id = $1 and seq < $2::bigint order by seq desc limit $3`,
  entryRow,
)
const readEntriesOfType = statement<Keyed<Transaction>>(
  'credits_entries_of_type',
  `select ${entryColumns} from credit_entries where user_id = $1 and seq < $2::bigint and type = $4 order by seq desc limit $3`,
  entryRow,
)
// Planned for its values, each time.
const readEntriesOfTypes = statement<Keyed<Transaction>>(
  '',
  `select ${entryColumns} from credit_entries where user_id = $1 and seq < $2::bigint and type = any($4::text[]) order by seq desc limit $3`,
  entryRow,
)
// Above every number of an entry.
const beforeAll = '9223372036854775807'

// Entries are numbered without gaps, so all of them need no counting.
const countEntries = statement<{ total: number }>(
  'credits_count_entries',
  `select case when $2::text is null then coalesce((select entry_count from credit_accounts where user_id = $1), 0)
     else (select count(*) from credit_entries where user_id = $1 and type = $2) end as total`,
)

const countEntriesOfTypes = statement<{ total: number }>(
  '',
  'select count(*) as total from credit_entries where user_id = $1 and type = any($2::text[])',
)

export interface TransactionList extends PageArgs {
  type?: EntryType | null
  typeIn?: readonly EntryType[] | null
  includeTotal?: boolean | null
}

/** The payer's entries, newest first. */
export async function listTransactions(
  context: Context,
  { type: one, typeIn, includeTotal, ...page }: TransactionList,
): Promise<Page<Transaction>> {
  const userId = await payerOf(context)
  await seeTo(context, userId)
  const type = filteredType(one ?? null, typeIn ?? null)
  const list = `credit transactions of ${userId}, ${type ?? 'all'}`
  const asked = pageOf(page, list, key => /^\d{1,15}$/.test(key))
  const place = [userId, asked.start?.key ?? beforeAll, asked.size + 1]
  const isOne = typeof type === 'string'
  const found = await (type === null
    ? context.db.query(readEntries, place)
    : context.db.query(isOne ? readEntriesOfType : readEntriesOfTypes, [...place, type]))
  const counting = type === null || isOne ? countEntries : countEntriesOfTypes
  const total = includeTotal ? ((await context.db.query(counting, [userId, type]))[0]?.total ?? 0) : null
  return new Page(found, asked, list, total)
}

function filteredType(one: EntryType | null, several: readonly EntryType[] | null): FilterValue | null {
  if (several === null) return one
  const value = filterValue('typeIn', several)
  // Both are given: an entry has one type, which must be that one.
  return one === null ? value : value.includes(one) ? one : []
}
