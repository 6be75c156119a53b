// Deals counted by their fields, and their amounts summed, for charts.

import { type Context, organizationOf } from '../../../kernel/context.ts'
import { amountSql } from '../../../kernel/currencies/amount.sql.ts'
import { valueError } from '../../../kernel/input/problem.ts'
import { type Condition, conditionsSql } from '../../../kernel/lists/filter-values.ts'
import type { GroupField } from '../../../kernel/lists/groups.sql.ts'
import { type GroupArgs, type Groups, groupRows } from '../../../kernel/lists/groups.ts'
import { kindOf } from '../../records/list/found.ts'
import { kindSqlOf } from '../../records/list/pages.sql.ts'
import { conditionsOf, type DealFilter } from './filter.ts'

export const dealGroupFields = {
  pipeline: { sql: 'pipeline_id::text', is: 'text', description: 'The pipeline, by its id.' },
  stage: { sql: 'stage_id::text', is: 'text', description: 'The stage, by its id.' },
  state: {
    sql: "case when won_at is not null then 'won' when lost_at is not null then 'lost' else 'open' end",
    ...{ is: 'enum', description: 'Whether they are open, won or lost.' },
  },
  owner: { sql: 'owner_user_id', is: 'text', description: 'The member who looks after them, by the id of the user.' },
  company: { sql: 'company_id::text', is: 'text', description: 'The company, by its id.' },
  currency: { sql: 'currency', is: 'text', description: 'The currency of the amount.' },
  lost_reason: { sql: 'lost_reason', is: 'text', description: 'The reason why they were lost.' },
  source: { sql: 'source', is: 'enum', description: 'Where they came from.' },
  tag: { sql: 'tags', is: 'list', description: 'Each tag: a deal counts once for each of its own.' },
  // 10 o'clock in UTC is on the same day in the time zones from -10 to +13 hours.
  expected_close: {
    sql: "((expected_close + time '10:00') at time zone 'UTC')",
    ...{ is: 'time', description: 'When they are expected to be won.' },
  },
  won_at: { sql: 'won_at', is: 'time', description: 'When they were won.' },
  lost_at: { sql: 'lost_at', is: 'time', description: 'When they were lost.' },
  created_at: { sql: 'created_at', is: 'time', description: 'When they were added.' },
} as const satisfies Readonly<Record<string, GroupField & { description: string }>>

export interface DealGrouping extends GroupArgs<string> {
  filter?: DealFilter | null
  sumAmounts?: boolean | null
  /** Sums the amounts times the probabilities of their stages. */
  weighted?: boolean | null
  /** Only deals that were won or lost since then. */
  decidedSince?: Date | null
}

const amount = amountSql('amount', 'currency')
const weight = '(select s.probability from stages s where s.org_id = deals.org_id and s.id = deals.stage_id) / 100.0'

/** Throws INVALID for sums over several currencies. */
export function groupDeals(context: Context, { filter, sumAmounts, weighted, decidedSince, ...args }: DealGrouping): Promise<Groups> {
  const conditions = [...conditionsOf(filter), ...(decidedSince ? [decided(decidedSince)] : [])]
  const isOneCurrency = (filter?.currency ?? null) !== null || args.by.some(({ field }) => field === 'currency')
  const mixed = valueError('sumAmounts', 'amounts of several currencies are not added up: group by CURRENCY, or filter by a currency')
  return groupRows(
    context,
    {
      table: 'deals',
      fields: dealGroupFields as Readonly<Record<string, GroupField>>,
      where: `org_id = $1${kindSqlOf('deals')[kindOf(filter)]}${conditionsSql(conditions)}`,
      values: [organizationOf(context), ...conditions.map(({ value }) => value)],
      measure: sumAmounts ? (weighted ? `(${amount}) * ${weight}` : amount) : null,
      problems: sumAmounts && !isOneCurrency ? [mixed] : [],
    },
    args,
  )
}

const decided = (since: Date): Condition => ({
  name: 'decidedSince',
  value: since.toISOString(),
  sql: parameter => `(won_at >= ${parameter}::timestamptz or lost_at >= ${parameter}::timestamptz)`,
})
