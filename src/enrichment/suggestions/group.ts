// Suggestions counted by their fields.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { conditionsSql } from '../../kernel/lists/filter-values.ts'
import type { GroupField } from '../../kernel/lists/groups.sql.ts'
import { type GroupArgs, type Groups, groupRows } from '../../kernel/lists/groups.ts'
import { conditionsOf, type SuggestionFilter } from './list.ts'

const fields = {
  status: { sql: 'status', is: 'enum' },
  field: { sql: 'field', is: 'text' },
  provider: { sql: 'provider', is: 'text' },
  verification: { sql: 'verification', is: 'enum' },
  host_app: { sql: 'host_app', is: 'text' },
  target_kind: { sql: 'target_kind', is: 'text' },
  contact_id: { sql: 'contact_id', is: 'text' },
  company_id: { sql: 'company_id', is: 'text' },
  created_at: { sql: 'created_at', is: 'time' },
  decided_at: { sql: 'decided_at', is: 'time' },
} as const satisfies Record<string, GroupField>

export interface SuggestionGrouping extends GroupArgs<keyof typeof fields> {
  filter?: SuggestionFilter | null
}

/** Sum and average are of the confidence. */
export function groupSuggestions(context: Context, { filter, ...args }: SuggestionGrouping): Promise<Groups> {
  const orgId = organizationOf(context)
  const conditions = conditionsOf(filter)
  const grouped = {
    table: 'suggestions',
    fields,
    where: `org_id = $1${conditionsSql(conditions)}`,
    values: [orgId, ...conditions.map(({ value }) => value)],
    // Rounded as in rows.
    measure: 'round(confidence::numeric, 4)',
  }
  return groupRows(context, grouped, args)
}
