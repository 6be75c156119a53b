// The country of an organization, to which telephone numbers without a country code belong, and the currency of its amounts.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { countries } from '../../kernel/countries.ts'
import { currencies, currencyOfCountry } from '../../kernel/currencies/currencies.ts'
import { invalid } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { valueError } from '../../kernel/input/problem.ts'
import { managing, reloadOrganization } from './membership.ts'
import { organizationEvents } from './organization.sql.ts'
import type { Organization } from './organization.ts'

/** Sets the country, null for none. Throws INVALID and FORBIDDEN. */
export function setCountry(context: Context, given: string | null): Promise<Organization> {
  return set(context, 'country', codeOf(given), countries, 'it is not a country code of ISO 3166-1 alpha-2, such as DE')
}

/** Sets the currency, null for the currency of the country. Throws INVALID and FORBIDDEN. */
export function setCurrency(context: Context, given: string | null): Promise<Organization> {
  return set(context, 'currency', codeOf(given), currencies, 'it is not a currency code of ISO 4217, such as EUR')
}

/** The country, in upper case; null when it is not known. */
export async function countryOf({ db }: Pick<Context, 'db'>, id: string): Promise<string | null> {
  return (await db.prisma.organization.findUnique({ where: { id }, select: { country: true } }))?.country ?? null
}

/** The currency that was set, otherwise the currency of the country; null when neither is known. */
export async function currencyOf({ db }: Pick<Context, 'db'>, id: string): Promise<string | null> {
  const found = await db.prisma.organization.findUnique({ where: { id }, select: { country: true, currency: true } })
  return found?.currency ?? currencyOfCountry(found?.country ?? null)
}

const codeOf = (given: string | null) => given?.trim().toUpperCase() || null

async function set(
  context: Context,
  field: 'country' | 'currency',
  code: string | null,
  codes: ReadonlySet<string>,
  problem: string,
): Promise<Organization> {
  if (code !== null && !codes.has(code)) throw invalid(valueError(field, problem, code))
  return managing(context, organizationOf(context), 'admin', async ({ context: inside, organizationId: id }) => {
    const { [field]: before } = await inside.db.prisma.organization.findUniqueOrThrow({ where: { id } })
    if (before !== code) {
      await inside.db.prisma.organization.update({ where: { id }, data: { [field]: code } })
      await recordEvent(inside, { type: organizationEvents.updated, entityId: id, orgId: id, changes: { [field]: [before, code] } })
    }
    return reloadOrganization(inside, id)
  })
}
