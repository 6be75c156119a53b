// The first organization: made by the first start, claimed by the server's operator, and allowed what costs the operator money.

import { type Context, organizationOf, type Services } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError } from '../errors.ts'

const selectFirst = statement<{ id: string }>('organization_first', 'select id from organizations where is_first')
const known = new WeakMap<Services, string>()

/** Its id; null where no start has made one. */
export async function firstOrganization(services: Services): Promise<string | null> {
  const id = known.get(services)
  if (id !== undefined) return id
  const [found] = await services.database.query(selectFirst, [])
  if (found) known.set(services, found.id)
  return found?.id ?? null
}

/** Whether the organization may use what the operator pays for: telephone accounts, paid sources of recipes, the language model. */
export async function mayUsePaid(services: Services, orgId: string): Promise<boolean> {
  const allowed = services.config.PAID_PROVIDER_ORGANIZATIONS
  if (allowed.length > 0) return allowed.includes('*') || allowed.includes(orgId)
  return (await firstOrganization(services)) === orgId
}

/** Why an organization is refused what the operator pays for. */
export const paidRefusal = (what: string, orgId: string) =>
  `The operator of this server pays for ${what}, and has not allowed it to this organization: PAID_PROVIDER_ORGANIZATIONS must name ${orgId}`

/** Throws FORBIDDEN for an organization that may not use what the operator pays for. */
export async function requirePaid(context: Context, what: string): Promise<void> {
  const orgId = organizationOf(context)
  if (!(await mayUsePaid(context.services, orgId))) throw new AppError('FORBIDDEN', paidRefusal(what, orgId))
}
