// The country of an organization: telephone numbers without a country code belong to it.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { countries } from '../../kernel/countries.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { valueError } from '../../kernel/input/problem.ts'
import { managing } from './membership.ts'
import { organizationEvents } from './organization.sql.ts'
import { loadOrganizations, type Organization } from './organization.ts'

/** Sets the country, null for none. Throws INVALID and FORBIDDEN. */
export async function setCountry(context: Context, given: string | null): Promise<Organization> {
  const country = given?.trim().toUpperCase() || null
  if (country !== null && !countries.has(country))
    throw invalid(valueError('country', 'it is not a country code of ISO 3166-1 alpha-2, such as DE', given))
  return managing(context, organizationOf(context), 'admin', async ({ context: inside, organizationId: id }) => {
    const { country: before } = await inside.db.prisma.organization.findUniqueOrThrow({ where: { id } })
    if (before !== country) {
      await inside.db.prisma.organization.update({ where: { id }, data: { country } })
      await recordEvent(inside, { type: organizationEvents.updated, entityId: id, orgId: id, changes: { country: [before, country] } })
    }
    const [organization] = await loadOrganizations(inside, [id])
    if (!organization) throw notFound('organization', id)
    return organization
  })
}

/** The country, in upper case; null when it is not known. */
export async function countryOf({ db }: Pick<Context, 'db'>, id: string): Promise<string | null> {
  return (await db.prisma.organization.findUnique({ where: { id }, select: { country: true } }))?.country ?? null
}
