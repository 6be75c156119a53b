// Facts about an organization for reading its rows: its country, and its members.

import { countryOf } from '../../../identity/organizations/country-and-currency.ts'
import type { Context } from '../../../kernel/context.ts'
import { selectPipelines, selectStages } from '../../pipelines/pipeline.sql.ts'
import { readDealSettings } from '../../pipelines/settings.ts'
import type { ImportNoun } from '../nouns/fields.ts'
import type { Surroundings } from './read.ts'

// More than an organization has; members behind them are found by their ids alone.
const maxMembers = 2000

export async function surroundingsOf(context: Context, orgId: string, noun: ImportNoun = 'contact'): Promise<Surroundings> {
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
  return { country: await countryOf(context, orgId), members, ...(noun === 'deal' && (await aroundDeals(context, orgId))) }
}

async function aroundDeals(context: Context, orgId: string) {
  const stages = await context.db.query(selectStages, [orgId, null])
  const pipelines = (await context.db.query(selectPipelines, [orgId])).map(({ id, name }) => ({
    ...{ id, name },
    stages: stages.filter(({ pipelineId }) => pipelineId === id),
  }))
  return { pipelines, lostReasons: (await readDealSettings(context)).lostReasons }
}

const nameOf = (name: string) => name.toLowerCase().replace(/\s+/g, ' ').trim()
