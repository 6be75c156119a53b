// Whether an organization has deals.

import { type Context, organizationOf } from '../../../kernel/context.ts'
import { anyDeal } from './any.sql.ts'

export async function hasLiveDeals(context: Context): Promise<boolean> {
  const [found] = await context.db.query(anyDeal, [organizationOf(context)])
  return found?.total === 1
}
