// The first organization: created at the first start, claimed by the operator, and by default the only one that may use paid providers.

import { type Context, organizationOf, type Services } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { markFirst } from './organization.sql.ts'

const known = new WeakMap<Services, string>()

/** The id of the first organization; null when there is none. */
export async function firstOrganization(services: Services): Promise<string | null> {
  const id = known.get(services)
  if (id !== undefined) return id
  const found = await services.database.prisma.organization.findFirst({ where: { isFirst: true }, select: { id: true } })
  if (found) known.set(services, found.id)
  return found?.id ?? null
}

/** Makes an organization the first one, unless there is one. */
export async function markFirstOrganization({ database }: Services, id: string): Promise<void> {
  await database.query(markFirst, [id])
}

/** Whether the organization may use the operator's paid providers: telephone accounts, paid enrichment sources, the language model. */
export async function mayUsePaid(services: Services, orgId: string): Promise<boolean> {
  const allowed = services.config.PAID_PROVIDER_ORGANIZATIONS
  if (allowed.length > 0) return allowed.includes('*') || allowed.includes(orgId)
  return (await firstOrganization(services)) === orgId
}

/** The error message for an organization that may not use a paid provider. */
export const paidRefusal = (what: string, orgId: string) =>
  `The operator of this server pays for ${what}, and has not allowed it to this organization: PAID_PROVIDER_ORGANIZATIONS must name ${orgId}`

/** Throws FORBIDDEN for an organization that may not use the operator's paid providers. */
export async function requirePaid(context: Context, what: string): Promise<void> {
  const orgId = organizationOf(context)
  if (!(await mayUsePaid(context.services, orgId))) throw new AppError('FORBIDDEN', paidRefusal(what, orgId))
}
