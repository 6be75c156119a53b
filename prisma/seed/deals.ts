// The companies of the demo organization's contacts, and their deals: over all stages, some stale, some won, some lost.

import { createCompany } from '../../src/contacts/companies/company.ts'
import type { Contact } from '../../src/contacts/contact/row.ts'
import { listPipelines, loadStagesOf } from '../../src/contacts/pipelines/pipeline.ts'
import { updateDealSettings } from '../../src/contacts/pipelines/settings.ts'
import { companyFacts, dealAmount, lostReasons, roles, subjects, writePastDeal } from '../../src/contacts/sample/deals.ts'
import { generator, pick } from '../../src/contacts/sample/people.ts'
import type { Context } from '../../src/kernel/context.ts'
import { load } from '../../src/kernel/dataloaders.ts'
import { type DemoContact, demoUsers } from './contacts.ts'

const dayMs = 86_400_000

/** Makes a company of each domain, those with the fewest contacts last. Resolves with their ids by domain. */
export async function writeDemoCompanies(context: Context, contacts: readonly DemoContact[]): Promise<ReadonlyMap<string, string>> {
  const random = generator(20_020_202)
  const byDomain = Map.groupBy(contacts, ({ fields }) => fields.companyDomain ?? '')
  const largest = [...byDomain].toSorted(([, a], [, b]) => b.length - a.length)
  const ids = new Map<string, string>()
  for (const [index, [domain, [first]]] of largest.entries()) {
    if (!first || domain === '') continue
    const { companyName, city, region, country } = first.fields
    const name = companyName ?? domain
    const at = new Date(context.now().getTime() - (190 - 3 * index) * dayMs)
    const company = await createCompany(
      { ...context, now: () => at },
      {
        ...{ name, domain, city, region, country, website: `https://www.${domain}` },
        ...companyFacts(random, name),
        ownerUserId: pick(random, demoUsers).id,
      },
    )
    ids.set(domain, company.id)
  }
  return ids
}

/** For each deal the last stage, and the days since it came into it. */
const ways: readonly (readonly [stage: string, days: number])[] = [
  ...(['Lead', 'Lead', 'Lead', 'Lead', 'Lead', 'Lead', 'Lead'] as const).map((stage, index) => [stage, 1 + index * 8] as const),
  ...(['Qualified', 'Qualified', 'Qualified', 'Qualified', 'Qualified', 'Qualified'] as const).map(
    (stage, index) => [stage, 2 + index * 9] as const,
  ),
  ...(['Proposal', 'Proposal', 'Proposal', 'Proposal', 'Proposal'] as const).map((stage, index) => [stage, 3 + index * 10] as const),
  ...(['Negotiation', 'Negotiation', 'Negotiation', 'Negotiation'] as const).map((stage, index) => [stage, 1 + index * 6] as const),
  ...(['Won', 'Won', 'Won', 'Won'] as const).map((stage, index) => [stage, 4 + index * 17] as const),
  ...(['Lost', 'Lost', 'Lost'] as const).map((stage, index) => [stage, 9 + index * 20] as const),
]

/** As the users of the demo would have written them. */
export async function writeDemoDeals(context: Context, orgId: string, contacts: readonly Contact[]): Promise<void> {
  const random = generator(20_111_111)
  const now = context.now().getTime()
  const as = ({ id: userId, email, name }: (typeof demoUsers)[number], days: number): Context => {
    const memberships = { orgIds: [orgId], roles: { [orgId]: 'owner' }, role: 'owner', currentOrgId: null } as const
    return {
      ...context,
      now: () => new Date(now - days * dayMs),
      principal: { kind: 'session', sessionId: null, userId, email, name, ...memberships },
    }
  }
  await updateDealSettings(as(demoUsers[0], 80), { lostReasons })
  const [pipeline] = await listPipelines(context)
  if (!pipeline) return
  const stages = await load(context, loadStagesOf, pipeline.id)
  const ofCompanies = [
    ...Map.groupBy(
      contacts.filter(({ companyId }) => companyId !== null),
      ({ companyId }) => companyId,
    ),
  ]
  for (const [index, [last, days]] of ways.entries()) {
    const [companyId, people = []] = ofCompanies[index % ofCompanies.length] ?? []
    const owner = pick(random, demoUsers)
    const target = stages.find(({ name }) => name === last)
    if (!target) continue
    await writePastDeal(ago => as(owner, ago), {
      ...{ stages, last: target, days, expectedIn: index * 5 - 12, lostReason: lostReasons[index % lostReasons.length] ?? '' },
      ...{ title: subjects[index % subjects.length] ?? '', companyId, ownerUserId: owner.id },
      ...{ amount: dealAmount(random), currency: index % 6 === 4 ? 'USD' : 'EUR', tags: random() < 0.3 ? ['renewal'] : [] },
      contacts: people
        .slice(0, 1 + (index % 2))
        .map(({ id }, place) => ({ contactId: id, role: roles[(index + place) % roles.length] ?? null })),
    })
  }
}
