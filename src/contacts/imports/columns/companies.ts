// Leaves out the ids of companies that the organization does not have, such as those in an export of another one.

import type { Context } from '../../../kernel/context.ts'
import { liveAmong } from '../../contact/company/check.ts'
import { type ReadRow, warningOf } from './mapping.ts'

/** The rows without such ids, with a warning of each. Name and domain then find the company. */
export async function withKnownCompanies<Row extends ReadRow>(context: Context, orgId: string, rows: readonly Row[]): Promise<Row[]> {
  const known = await liveAmong(
    context,
    orgId,
    rows.map(({ input }) => input.companyId),
  )
  return rows.map(row => {
    const { companyId, ...input } = row.input
    if (!companyId || known.has(companyId)) return row
    const reason = 'is the id of no company here, and left out; name or domain of the company find it as well'
    return { ...row, input, warnings: [...row.warnings, warningOf(row.companyColumn ?? 0, companyId, reason)] }
  })
}
