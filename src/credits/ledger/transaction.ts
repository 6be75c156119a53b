// Transactions: the list of ledger entries, and debits requested by services.

import type { CreditEntryModel } from '../../generated/prisma/models.ts'
import type { Context } from '../../kernel/context.ts'
import type { Door } from '../../kernel/door.ts'
import { type FilterValue, filterValue } from '../../kernel/lists/filter-values.ts'
import { type AgedListArgs, ageOrder, directionOf, Page, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import { creditsOf } from '../../kernel/money.ts'
import type { Actor } from '../../kernel/principal.ts'
import { debit, readAccount, seenAccount } from '../accounts/account.ts'
import { amountProblems, checkAmount, referenceProblems } from './amount.ts'
import type { Line } from './ledger.sql.ts'
import type { Entry, EntryType } from './ledger.ts'

/** A part of an amount, with the grant from which it was taken or to which it was added. */
export interface Part {
  grantId: string
  category: Line['category']
  amount: number
}

export const partsOf = (lines: readonly Line[]): Part[] =>
  lines.map(({ grantId, category, micro }) => ({ grantId, category, amount: creditsOf(micro) }))

/** The moved credits, with the account's balance before and after. */
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
  /** In credits, above 0, with at most 6 decimals. */
  amount: number
  reference?: string | null
}

/** Debits credits from a user, all or nothing. Throws INSUFFICIENT_CREDITS, and NOT_FOUND for an unknown user. */
export async function deductCredits(context: Context, { userId, amount, reference = null }: DeductCredits): Promise<Transfer> {
  const micro = checkAmount(amount, [...amountProblems(amount), ...referenceProblems(reference)])
  const entry = await debit(context, { userId, type: 'debit', amountMicro: -micro, reference })
  return transferOf({ userId, amount, reference }, entry)
}

/** A row of `credit_entries`, whose types are those that the ledger writes. */
export interface Transaction extends CreditEntryModel {
  type: EntryType
  breakdown: Line[]
  actorType: Actor['type']
  door: Door
}

export interface TransactionList extends AgedListArgs {
  type?: EntryType | null
  typeIn?: readonly EntryType[] | null
}

/** The payer's entries that the caller may see, newest first by default. */
export async function listTransactions(
  context: Context,
  { type: one, typeIn, counted, sort, ...page }: TransactionList,
): Promise<Page<Transaction>> {
  const { userId, orgId } = await seenAccount(context)
  const { entryCount } = await readAccount(context, userId)
  const { prisma } = context.db
  const { order, suffix } = ageOrder(sort)
  const type = typeFilter(one ?? null, typeIn ?? null)
  const list = `credit transactions of ${userId}, ${type ?? 'all'}${orgId === null ? '' : ` for ${orgId}`}${suffix}`
  const asked = pageOf(page, list, key => /^\d{1,15}$/.test(key))
  const wanted = type === null ? [{}] : [type].flat().map(type => ({ type }))
  // Entries are numbered without gaps. Entries written after the account was read are left out, so that all queries see the same list.
  const all = { lte: entryCount }
  const own = { userId, ...(orgId !== null && { orgId }) }
  const direction = directionOf(asked, order)
  const seq = { ...all, ...(asked.start && { [direction === 'asc' ? 'gt' : 'lt']: BigInt(asked.start.key) }) }
  const count = () =>
    bounded(context, db =>
      db.prisma.creditEntry.count({ where: { ...own, seq: all, ...(type !== null && { type: { in: [type].flat() as string[] } }) } }),
    )
  const total = type === null && orgId === null ? () => Number(entryCount) : totalOf(counted, count)
  const found: CreditEntryModel[] = []
  // One query per type, because no index has the entries of several types in order.
  for (const ofType of wanted)
    found.push(
      ...(await prisma.creditEntry.findMany({ where: { ...own, seq, ...ofType }, orderBy: { seq: direction }, take: asked.size + 1 })),
    )
  const newest = found.toSorted((a, b) => Number(direction === 'asc' ? a.seq - b.seq : b.seq - a.seq)).slice(0, asked.size + 1)
  return new Page(
    (newest as Transaction[]).map(row => ({ row, key: String(row.seq) })),
    asked,
    list,
    total,
  )
}

function typeFilter(one: EntryType | null, several: readonly EntryType[] | null): FilterValue | null {
  if (several === null) return one
  const value = filterValue('typeIn', several)
  // If both filters are given, an entry must match both.
  return one === null ? value : value.includes(one) ? one : []
}
