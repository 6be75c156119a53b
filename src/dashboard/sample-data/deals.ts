// The companies and deals of sample data: its contacts have brought the companies, and the deals are spread over the first pipeline.

import { loadCompanies, updateCompany } from '../../contacts/companies/company.ts'
import type { Contact } from '../../contacts/contact/row.ts'
import { listPipelines, loadStagesOf } from '../../contacts/pipelines/pipeline.ts'
import { readDealSettings } from '../../contacts/pipelines/settings.ts'
import { companyFacts, daysAgo, dealAmount, lostReasons, roles, subjects, writePastDeal } from '../../contacts/sample/deals.ts'
import type { Random } from '../../contacts/sample/people.ts'
import type { Context } from '../../kernel/context.ts'
import { load } from '../../kernel/dataloaders.ts'

/**
 * Gives more facts to a part of the companies that came with the contacts, and resolves with their ids. A company that was there before is
 * not among them.
 */
export async function writeCompanies(
  context: Context,
  random: Random,
  contacts: readonly Contact[],
  { part, parts }: { part: number; parts: number },
): Promise<string[]> {
  const times = new Set(contacts.map(({ createdAt }) => createdAt))
  const byCompany = Map.groupBy(contacts, ({ companyId }) => companyId ?? '')
  const ids = [...byCompany.keys()].filter(Boolean).filter((_id, index) => index % parts === part)
  const found = await loadCompanies(context, ids)
  const made = found.flatMap(company => (company && !(company instanceof Error) && times.has(company.createdAt) ? [company] : []))
  for (const { id, name, domain } of made) {
    const { city, region, country, ownerUserId } = byCompany.get(id)?.[0] ?? {}
    await updateCompany(
      context,
      { id },
      {
        ...companyFacts(random, name),
        ...{ city, region, country, ownerUserId, tags: ['Sample'], website: domain && `https://www.${domain}` },
      },
    )
  }
  return made.map(({ id }) => id)
}

// The place among the open stages, or an outcome; and the days since it came there.
const ways: readonly (readonly [stage: number | 'won' | 'lost', days: number])[] = [
  ...([0, 0, 0, 1, 1, 1, 2, 2, 3] as const).map((stage, index) => [stage, 1 + ((index * 7) % 25)] as const),
  ...([
    ['won', 5],
    ['won', 20],
    ['won', 33],
    ['lost', 9],
    ['lost', 26],
  ] as const),
]

/** Adds deals of the contacts and their companies, from one of `ways` to another. Resolves with their ids. */
export async function writeDeals(
  context: Context,
  random: Random,
  contacts: readonly Contact[],
  { from, to }: { from: number; to: number },
): Promise<string[]> {
  const [pipeline] = await listPipelines(context)
  const stages = pipeline ? await load(context, loadStagesOf, pipeline.id) : []
  const open = stages.filter(({ kind }) => kind === 'open')
  const reasons = (await readDealSettings(context)).lostReasons
  const ids: string[] = []
  for (const [index, [place, days]] of [...ways.entries()].slice(from, to)) {
    const last = typeof place === 'number' ? open[Math.min(place, open.length - 1)] : stages.find(({ kind }) => kind === place)
    const contact = contacts[index * 2]
    if (!last || !contact) continue
    const deal = await writePastDeal(ago => daysAgo(context, ago), {
      ...{ stages, last, days, expectedIn: index * 6 - 4 },
      ...{ title: subjects[index % subjects.length] ?? '', companyId: contact.companyId, ownerUserId: contact.ownerUserId },
      ...{ amount: dealAmount(random), currency: 'EUR', tags: ['Sample'] },
      contacts: [{ contactId: contact.id, role: roles[index % roles.length] ?? null }],
      lostReason: (reasons.length > 0 ? reasons : lostReasons)[index % (reasons.length || lostReasons.length)] ?? '',
    })
    ids.push(deal.id)
  }
  return ids
}
