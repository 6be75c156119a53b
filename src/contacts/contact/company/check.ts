// Which companies of contacts are live ones of the organization.

import type { Context } from '../../../kernel/context.ts'
import { valueError } from '../../../kernel/input/problem.ts'
import { noCompany } from '../fields.ts'
import type { Changes } from '../input.ts'
import { liveCompanies } from './link.sql.ts'

/** Adds the problems of each. */
export async function checkCompanies(context: Context, orgId: string, all: readonly Changes[]): Promise<void> {
  const live = await liveAmong(
    context,
    orgId,
    all.map(({ fields }) => fields.companyId),
  )
  for (const { fields, problems } of all) {
    const { companyId } = fields
    if (companyId && !live.has(companyId)) problems.push(valueError('companyId', noCompany, companyId))
  }
}

/** The ids of live companies of the organization among these. */
export async function liveAmong({ db }: Context, orgId: string, ids: readonly (string | null | undefined)[]): Promise<ReadonlySet<string>> {
  const asked = new Set(ids.flatMap(id => id ?? []))
  const live = asked.size > 0 ? await db.query(liveCompanies, [orgId, [...asked]]) : []
  return new Set(live.map(({ id }) => id))
}
