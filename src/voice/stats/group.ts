// Calls counted by their fields.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { conditionsSql } from '../../kernel/lists/filter-values.ts'
import type { GroupField } from '../../kernel/lists/groups.sql.ts'
import { type GroupArgs, type Groups, groupRows } from '../../kernel/lists/groups.ts'
import { creditsSql } from '../../kernel/money.ts'
import { trialsSql } from '../calls/list.sql.ts'
import { type CallFilter, conditionsOf } from '../calls/list.ts'

const fields = {
  agent_id: { sql: 'agent_id', is: 'text' },
  contact_id: { sql: 'contact_id', is: 'text' },
  provider: { sql: 'provider', is: 'enum' },
  direction: { sql: 'direction', is: 'enum' },
  dispatch_state: { sql: 'dispatch_state', is: 'enum' },
  status: { sql: 'status', is: 'enum' },
  outcome: { sql: 'outcome', is: 'enum' },
  answered_by: { sql: 'answered_by', is: 'enum' },
  ended_reason: { sql: 'ended_reason', is: 'text' },
  created_at: { sql: 'created_at', is: 'time' },
  answered_at: { sql: 'answered_at', is: 'time' },
  ended_at: { sql: 'ended_at', is: 'time' },
} as const satisfies Record<string, GroupField>

const measures = {
  duration_seconds: 'duration_seconds::numeric',
  credits_charged: creditsSql('credits_charged'),
} as const

export interface CallGrouping extends GroupArgs<keyof typeof fields> {
  filter?: CallFilter | null
  sumOf?: keyof typeof measures | null
}

export function groupCalls(context: Context, { filter, sumOf, ...args }: CallGrouping): Promise<Groups> {
  const orgId = organizationOf(context)
  const { conditions, isTrial } = conditionsOf(filter ?? {})
  const grouped = {
    table: 'calls',
    fields,
    where: `org_id = $1${trialsSql(isTrial)}${conditionsSql(conditions)}`,
    values: [orgId, ...conditions.map(({ value }) => value)],
    measure: sumOf ? measures[sumOf] : null,
  }
  return groupRows(context, grouped, args)
}
