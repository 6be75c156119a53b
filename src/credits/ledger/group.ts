// Entries of the ledger counted by their fields.

import type { Context } from '../../kernel/context.ts'
import { rangeConditions, since, until } from '../../kernel/lists/comparisons.ts'
import { conditionsSql, equals, filterValue } from '../../kernel/lists/filter-values.ts'
import type { GroupField } from '../../kernel/lists/groups.sql.ts'
import { type GroupArgs, type Groups, groupRows } from '../../kernel/lists/groups.ts'
import { creditsSql } from '../../kernel/money.ts'
import { readAccount, seenAccount } from '../accounts/account.ts'
import type { EntryType } from './ledger.ts'

const fields = {
  type: { sql: 'type', is: 'enum' },
  reference: { sql: 'reference', is: 'text' },
  operation: { sql: 'operation', is: 'text' },
  created_at: { sql: 'created_at', is: 'time' },
} as const satisfies Record<string, GroupField>

const measures = {
  amount: creditsSql('amount_micro'),
  // The cost of work: a reservation takes nothing from the balance until it is settled. An adjustment of a hold corrects its settlement.
  spent: creditsSql("(case when type in ('debit', 'settle') or type = 'adjust' and hold_id is not null then -amount_micro else 0 end)"),
} as const

interface TransactionFilter {
  typeIn?: readonly EntryType[] | null
  createdSince?: Date | null
  createdUntil?: Date | null
}
export interface TransactionGrouping extends GroupArgs<keyof typeof fields>, TransactionFilter {
  sumOf?: keyof typeof measures | null
}

const bounds = { createdSince: since('created_at'), createdUntil: until('created_at') }

/** Counts the entries of the payer's account that the caller may see. */
export async function groupTransactions(
  context: Context,
  { typeIn, createdSince, createdUntil, sumOf, ...args }: TransactionGrouping,
): Promise<Groups> {
  const { userId, orgId } = await seenAccount(context)
  // Applies changes that are due, such as the end of a grant, as the list of entries does.
  await readAccount(context, userId)
  const ofTypes = typeIn == null ? [] : [{ name: 'type', value: filterValue('typeIn', typeIn), sql: equals('type') }]
  const conditions = [...ofTypes, ...rangeConditions({ createdSince, createdUntil }, bounds)]
  const grouped = {
    table: 'credit_entries',
    fields,
    where: `user_id = $1 and ($2::uuid is null or org_id = $2)${conditionsSql(conditions, 3)}`,
    values: [userId, orgId, ...conditions.map(({ value }) => value)],
    measure: sumOf ? measures[sumOf] : null,
  }
  return groupRows(context, grouped, args)
}
