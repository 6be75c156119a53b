// The statement that finds out whether an organization has deals.

import { shortRead } from '../../../database/statement.ts'
import { integer, rows } from '../../../database/table.ts'

/** $1 organization. */
export const anyDeal = shortRead(
  'deals_any',
  'select exists (select from deals where org_id = $1 and deleted_at is null)::int as total',
  rows({ total: integer }),
)
