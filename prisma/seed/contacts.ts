// The contacts of the demo organization: about 500 plausible people, the same ones every time, and their history.

import { emptyContact } from '../../src/contacts/contact/input.ts'
import { type ContactFields, type LifecycleStage, lifecycleStages } from '../../src/contacts/contact/row.ts'
import type { NewCustomField } from '../../src/contacts/custom-fields/field.ts'
import type { ContactSource } from '../../src/contacts/records/source.ts'
import { createPeople, freeAddress, generator, pick, plain } from '../../src/contacts/sample/people.ts'
import type { Actor } from '../../src/kernel/principal.ts'

export interface DemoContact {
  fields: ContactFields
  createdBy: Actor
  createdAt: Date
  /** Later changes of the stage, oldest first. */
  steps: { at: Date; by: Actor; from: LifecycleStage; to: LifecycleStage }[]
}

/** Who works in the demo organization. */
export const demoUsers = [
  { id: 'demo-mara', name: 'Mara Lindqvist', email: 'mara@rolocom.example', role: 'owner' },
  { id: 'demo-tobias', name: 'Tobias Adeyemi', email: 'tobias@rolocom.example', role: 'admin' },
  { id: 'demo-ines', name: 'Inês Carvalho', email: 'ines@rolocom.example', role: 'member' },
] as const

/** Who only reads there, and so has made and owns nothing. */
export const demoViewer = { id: 'demo-kenji', name: 'Kenji Okafor', email: 'kenji@rolocom.example', role: 'viewer' } as const

/** Who did what the seed writes, as timelines show it. */
export const seedActor = 'Sample data'

export const demoCustomFields: readonly NewCustomField[] = [
  { key: 'plan', label: 'Plan', type: 'select', options: ['free', 'team', 'enterprise'] },
  { key: 'seats', label: 'Seats', type: 'number' },
  { key: 'renews_on', label: 'Renews on', type: 'date' },
  { key: 'newsletter', label: 'Gets the newsletter', type: 'boolean' },
  { key: 'interests', label: 'Interests', type: 'multi_select', options: ['automation', 'calling', 'data', 'integrations', 'reporting'] },
  { key: 'website', label: 'Website', type: 'url' },
]

const stageWeights: Record<LifecycleStage, number> = {
  subscriber: 30,
  lead: 28,
  qualified: 15,
  opportunity: 10,
  customer: 12,
  evangelist: 2,
  other: 3,
}
const sourceWeights: Record<ContactSource, number> = {
  import: 35,
  web: 24,
  api: 15,
  enrichment: 8,
  voice: 6,
  desktop: 5,
  hook: 4,
  agent: 2,
  system: 1,
}
const tagNames = ['newsletter', 'webinar', 'conference', 'partner', 'referral', 'trial', 'vip', 'renewal']

const dayMs = 86_400_000
const days = 180

/** The contacts as of `now`: they were created over the 180 days before it, more of them recently. */
export function demoContacts(now: Date, count = 500): DemoContact[] {
  const random = generator(20_240_229)
  const person = createPeople(random)
  const weighted = <Name extends string>(weights: Record<Name, number>): Name => {
    const names = Object.keys(weights) as Name[]
    let left = random() * names.reduce((sum, name) => sum + weights[name], 0)
    return names.find(name => (left -= weights[name]) < 0) ?? (names[0] as Name)
  }

  const people = Array.from({ length: count }, (_, index) => {
    const { phone, jobTitle, email, firstName, lastName, fullName, companyName, companyDomain, ...where } = person(index)
    const source = weighted(sourceWeights)
    const stage = weighted(stageWeights)
    const createdAt = new Date(now.getTime() - dayMs * (days * (1 - Math.sqrt(random())) + 0.02))
    const owner = pick(random, demoUsers)
    const steps = stepsTo(stage, createdAt, now, actorOf(owner), random)
    const hasEmail = random() < 0.94
    const isCustomer = stage === 'customer' || stage === 'evangelist'
    const createdBy = madeBy(source, owner)
    const fields: ContactFields = {
      ...emptyContact,
      email: hasEmail ? email : null,
      firstName,
      lastName,
      fullName,
      phone: random() < 0.62 || !hasEmail ? phone : null,
      jobTitle: random() < 0.85 ? jobTitle : null,
      companyName,
      companyDomain,
      linkedinUrl: random() < 0.3 ? `https://www.linkedin.example/in/${plain(firstName)}-${plain(lastName)}-${index}` : null,
      ...where,
      lifecycleStage: stage,
      source,
      ownerUserId: owner.id,
      tags: tagNames.filter(() => random() < 0.14),
      custom: {
        newsletter: random() < 0.5,
        ...(random() < 0.4 && { interests: demoCustomFields[4]?.options?.filter(() => random() < 0.4) ?? [] }),
        ...(random() < 0.35 && { website: `https://www.${companyDomain}` }),
        ...(isCustomer && { plan: pick(random, ['free', 'team', 'team', 'enterprise']), seats: 1 + Math.floor(random() ** 3 * 200) }),
        ...(isCustomer && { renews_on: new Date(createdAt.getTime() + 365 * dayMs).toISOString().slice(0, 10) }),
      },
      doNotCall: random() < 0.04,
      externalId: source === 'import' ? `crm-${10_000 + index}` : null,
      lastContactedAt: steps.at(-1)?.at.toISOString() ?? null,
    }
    return { fields, createdBy, createdAt, steps }
  })
  // The same person twice, with another address: what a merge is for.
  const [original, twin] = people.slice(-2)
  if (original && twin) {
    const { firstName, lastName, fullName, companyName, companyDomain } = original.fields
    const phone = original.fields.phone ?? twin.fields.phone
    const email = freeAddress(
      plain(`${firstName?.slice(0, 1)}${lastName}`),
      companyDomain ?? '',
      new Set(people.flatMap(({ fields }) => fields.email ?? [])),
    )
    original.fields.phone = phone
    Object.assign(twin.fields, { firstName, lastName, fullName, companyName, companyDomain, phone, email })
  }
  return people
}

// A contact passes through the stages one by one, each after some days.
function stepsTo(stage: LifecycleStage, createdAt: Date, now: Date, by: Actor, random: () => number): DemoContact['steps'] {
  const ladder: readonly LifecycleStage[] =
    stage === 'other' ? ['subscriber', 'other'] : lifecycleStages.values.slice(0, lifecycleStages.values.indexOf(stage) + 1)
  // Some contacts begin at a later stage.
  const start = Math.floor(random() * ladder.length)
  const climbed = ladder.slice(start)
  const span = (now.getTime() - createdAt.getTime()) / climbed.length
  return climbed.slice(1).flatMap((to, index) => {
    const from = climbed[index]
    return from ? [{ at: new Date(createdAt.getTime() + span * (index + 0.3 + random() * 0.6)), by, from, to }] : []
  })
}

const actorOf = ({ id, name }: (typeof demoUsers)[number]): Actor => ({ type: 'user', id, name })

function madeBy(source: ContactSource, owner: (typeof demoUsers)[number]): Actor {
  if (source === 'web' || source === 'desktop' || source === 'import') return actorOf(owner)
  if (source === 'api' || source === 'hook') return { type: 'api_key', id: null, name: 'Website form' }
  return { type: 'system', id: null, name: source }
}
