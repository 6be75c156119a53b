// The statement that reads the counters of jobs and suggestions.

import { statement, unseen } from '../../database/statement.ts'
import { bigint, rows, text } from '../../database/table.ts'

/** $1 organization. */
export const selectCounts = statement(
  'enrichment_counts',
  `select kind, status, sum(total)::bigint as total from enrichment_counts where org_id = ${unseen('$1::uuid')} group by kind, status`,
  rows({ kind: text.as<'job' | 'suggestion'>(), status: text, total: bigint }),
)
