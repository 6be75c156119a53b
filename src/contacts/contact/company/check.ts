// Checks that the companies of contacts are live ones of the organization.

import type { Context } from '../../../kernel/context.ts'
import { valueError } from '../../../kernel/input/problem.ts'
import { noCompany } from '../fields.ts'
import type { Changes } from '../input.ts'
import { liveCompanies } from './link.sql.ts'

/** Adds the problems of each. */
export async function checkCompanies(context: Context, orgId: string, all: readonly Changes[]): Promise<void> {
  const ids = new Set(all.flatMap(({ fields }) => fields.companyId ?? []))
  if (ids.size === 0) return
  const live = new Set((await context.db.query(liveCompanies, [orgId, [...ids]])).map(({ id }) => id))
  for (const { fields, problems } of all) {
    const { companyId } = fields
    if (companyId && !live.has(companyId)) problems.push(valueError('companyId', noCompany, companyId))
  }
}
