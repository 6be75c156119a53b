// The companies of the demo organization's contacts, and their deals: over all stages, some stale, some won, some lost.

import { createCompany } from '../../src/contacts/companies/company.ts'
import type { Contact } from '../../src/contacts/contact/row.ts'
import { createDeal } from '../../src/contacts/deals/deal.ts'
import { moveDeal } from '../../src/contacts/deals/moves/move.ts'
import { listPipelines, loadStagesOf } from '../../src/contacts/pipelines/pipeline.ts'
import { updateDealSettings } from '../../src/contacts/pipelines/settings.ts'
import { generator, pick } from '../../src/contacts/sample/people.ts'
import type { Context } from '../../src/kernel/context.ts'
import { load } from '../../src/kernel/dataloaders.ts'
import { type DemoContact, demoUsers } from './contacts.ts'

const dayMs = 86_400_000
const companies = 24
const industries = ['Software', 'Logistics', 'Retail', 'Health care', 'Construction', 'Hospitality', 'Finance', 'Manufacturing']

/** Makes companies of the domains that most contacts have. Resolves with their ids by domain. */
export async function writeDemoCompanies(context: Context, contacts: readonly DemoContact[]): Promise<ReadonlyMap<string, string>> {
  const random = generator(20_020_202)
  const byDomain = Map.groupBy(contacts, ({ fields }) => fields.companyDomain ?? '')
  const largest = [...byDomain].toSorted(([, a], [, b]) => b.length - a.length).slice(0, companies)
  const before = { ...context, now: () => new Date(context.now().getTime() - 190 * dayMs) }
  const ids = new Map<string, string>()
  for (const [domain, [first]] of largest) {
    if (!first || domain === '') continue
    const { companyName, city, region, country } = first.fields
    const company = await createCompany(before, {
      ...{ name: companyName ?? domain, domain, city, region, country, website: `https://www.${domain}` },
      ...{ industry: pick(random, industries), employeeCount: 10 + Math.floor(random() ** 3 * 4000) },
      ...{ annualRevenue: String(500_000 + Math.floor(random() ** 2 * 400) * 100_000), annualRevenueCurrency: 'EUR' },
      ownerUserId: pick(random, demoUsers).id,
    })
    ids.set(domain, company.id)
  }
  return ids
}

const subjects = [
  'Renewal of 40 seats',
  'Pilot for the sales team',
  'New subscription',
  'Upgrade to the enterprise plan',
  'Rollout in three offices',
  'Training for new colleagues',
  'Import of the old system',
]
const lostReasons = ['Price', 'Timing', 'Chose a competitor', 'No budget', 'No decision']
const roles = ['Decides', 'Uses it', 'Signs the contract', 'Introduced us']
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
    const way = stages.filter(({ kind, position }) => kind === 'open' && target !== undefined && position < target.position)
    // Of the deals that are decided, some have left the way early.
    const passed = last === 'Lost' ? way.slice(0, 2) : way
    const [first = target, ...between] = target ? [...passed, target] : []
    if (!first) continue
    const expected = new Date(now + (target?.kind === 'open' ? (index * 5 - 12) * dayMs : -days * dayMs))
    const deal = await createDeal(as(owner, days + between.length * 6), {
      ...{ title: subjects[index % subjects.length] ?? '', companyId, stageId: first.id, ownerUserId: owner.id },
      ...{ amount: String(1000 + Math.floor(random() ** 2 * 90) * 500), currency: index % 6 === 4 ? 'USD' : 'EUR' },
      ...{ expectedClose: expected, tags: random() < 0.3 ? ['renewal'] : [] },
      contacts: people
        .slice(0, 1 + (index % 2))
        .map(({ id }, place) => ({ contactId: id, role: roles[(index + place) % roles.length] ?? null })),
    })
    for (const [step, stage] of between.entries())
      await moveDeal(as(owner, days + (between.length - step - 1) * 6), {
        ...{ id: deal.id, stageId: stage.id },
        ...(stage.kind === 'lost' && { lostReason: lostReasons[index % lostReasons.length] ?? null }),
      })
  }
}
