// Facts about an organization for reading its rows: its country, and its members.

import { countryOf } from '../../../identity/organizations/country-and-currency.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Surroundings } from './read.ts'

// More than an organization has; members behind them are found by their ids alone.
const maxMembers = 2000

export async function surroundingsOf(context: Context, orgId: string): Promise<Surroundings> {
  const found = await context.db.prisma.membership.findMany({
    where: { organizationId: orgId },
    select: { userId: true, user: { select: { email: true, name: true } } },
    orderBy: { createdAt: 'asc' },
    take: maxMembers,
  })
  const members = new Map<string, string | null>()
  for (const { userId, user } of found) if (user.name) members.set(nameOf(user.name), members.has(nameOf(user.name)) ? null : userId)
  // An address and an id belong to one member.
  for (const { userId, user } of found) if (user.email) members.set(user.email.toLowerCase(), userId)
  for (const { userId } of found) members.set(userId.toLowerCase(), userId)
  return { country: await countryOf(context, orgId), members }
}

const nameOf = (name: string) => name.toLowerCase().replace(/\s+/g, ' ').trim()
