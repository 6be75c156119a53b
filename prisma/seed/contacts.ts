// The contacts of the demo organization: about 500 plausible people, the same ones every time, and their history. Domains end in .example and
// phone numbers are those that regulators reserve for fiction, so that no real person is reached.

import { emptyContact } from '../../src/contacts/contact/input.ts'
import { type ContactFields, type ContactSource, type LifecycleStage, lifecycleStages } from '../../src/contacts/contact/row.ts'
import type { NewCustomField } from '../../src/contacts/custom-fields/field.ts'
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

const firstNames =
  'Ada Aisha Akira Alejandro Amara Amélie Anders Anika Antoine Arjun Beatriz Ben Camille Carlos Chiara Chloé Claire Daniel David Diego Elena Emeka Emily Emma Erik Fatima Felix Femi Freya Gabriel Giulia Grace Hana Hannah Henrik Hugo Ingrid Isabel Ivan James Jana Jonas Jules Kai Kenji Laila Lars Lea Leo Lina Lucas Lucía Maja Malik Marco Margaret Maria Mateo Maya Mei Milan Mohamed Nadia Naomi Nina Noah Noor Nora Oliver Olivia Omar Oscar Paula Pedro Priya Rafael Rania Robert Rosa Samir Sara Sofia Sven Tariq Theo Thomas Valeria Victor Wei Yara Yuki Zoe'.split(
    ' ',
  )
const lastNames =
  'Abe Achebe Ahmed Andersson Bakker Becker Bernard Bianchi Brown Campbell Castillo Chen Costa Dubois Eriksen Evans Fernández Ferrari Fischer Fontaine García Gupta Haddad Hansen Hoffmann Hughes Ibrahim Iyer Jansen Johansson Jones Kaya Keller Kim Kowalski Kovács Laurent Lee Lehmann Lindgren Lopes Marino Martin Meyer Mensah Moreau Müller Murphy Nakamura Nguyen Nielsen Novak O’Brien Okafor Oliveira Osei Park Patel Pereira Petrov Quinn Rahman Ramírez Reyes Ricci Rossi Roy Ryan Sánchez Santos Sato Schmidt Schneider Silva Singh Smith Suzuki Tanaka Taylor Thompson Torres Vargas Vogel Wagner Walker Wang Weber Williams Wilson Wright Yamamoto Yilmaz Young Zhang'.split(
    ' ',
  )
const companies =
  'Alder & Finch,Amberline,Arcadia Freight,Bluefield Energy,Brightwater Labs,Cardinal Robotics,Cedar Street Books,Clearpath Clinics,Copperleaf,Dovetail Homes,Eastbank Capital,Elmwood Foods,Evergreen Logistics,Fathom Analytics,Fieldstone,Firefly Studios,Foxglove Media,Glasshouse Growers,Granite Peak,Greyhound Couriers,Halcyon Health,Harbor & Vine,Hearthside,Helios Solar,Highmark Legal,Indigo Textiles,Ironbridge Works,Juniper Software,Kestrel Air,Kite & Key,Lakeshore Dental,Lantern Security,Lumen Optics,Mapleton Schools,Meridian Travel,Millrace Brewing,Northwind Shipping,Oakhurst Realty,Orchard Street Bakery,Outpost Outdoors,Parallel Design,Pinecrest Hotels,Quarry Lane,Redwood Insurance,Riverbend Farms,Saltmarsh Seafood,Silverthorn,Skylark Mobility,Stonegate Builders,Sundial Events,Tallgrass Bank,Thistle & Co,Tidewater Tools,Umbra Cosmetics,Verdant Gardens,Waypoint Maps,Westbrook Paper,Wildrose Pharmacy,Windmill Bikes,Yarrow Wellness'.split(
    ',',
  )
const jobTitles =
  'Account Manager,Architect,Buyer,Chief Executive Officer,Chief Financial Officer,Chief Technology Officer,Customer Success Manager,Data Analyst,Design Lead,Director of Operations,Engineering Manager,Event Manager,Founder,Head of Marketing,Head of Sales,Human Resources Manager,IT Administrator,Managing Director,Office Manager,Operations Manager,Procurement Lead,Product Manager,Project Manager,Purchasing Manager,Sales Representative,Software Engineer,Store Manager,Support Lead'.split(
    ',',
  )

interface Place {
  city: string
  region: string
  country: string
  timezone: string
  phone(number: number): string
}

const digits = (number: number, width: number) => String(number % 10 ** width).padStart(width, '0')
const us = (area: string) => (number: number) => `+1${area}55501${digits(number, 2)}`
const london = (number: number) => `+44207946${digits(number, 4).replace(/^./, '0')}`
const berlin = (number: number) => `+493023125${digits(number, 3)}`
const paris = (number: number) => `+33199${digits(number, 6).replace(/^../, '00')}`
const sydney = (number: number) => `+6125550${digits(number, 4)}`
const place = (city: string, region: string, country: string, timezone: string, phone: Place['phone']): Place => ({
  city,
  region,
  country,
  timezone,
  phone,
})

const places: readonly Place[] = [
  place('San Francisco', 'California', 'US', 'America/Los_Angeles', us('415')),
  place('Seattle', 'Washington', 'US', 'America/Los_Angeles', us('206')),
  place('Denver', 'Colorado', 'US', 'America/Denver', us('303')),
  place('Austin', 'Texas', 'US', 'America/Chicago', us('512')),
  place('Chicago', 'Illinois', 'US', 'America/Chicago', us('312')),
  place('New York', 'New York', 'US', 'America/New_York', us('212')),
  place('Boston', 'Massachusetts', 'US', 'America/New_York', us('617')),
  place('Toronto', 'Ontario', 'CA', 'America/Toronto', us('416')),
  place('London', 'England', 'GB', 'Europe/London', london),
  place('Manchester', 'England', 'GB', 'Europe/London', london),
  place('Berlin', 'Berlin', 'DE', 'Europe/Berlin', berlin),
  place('Hamburg', 'Hamburg', 'DE', 'Europe/Berlin', berlin),
  place('Munich', 'Bavaria', 'DE', 'Europe/Berlin', berlin),
  place('Paris', 'Île-de-France', 'FR', 'Europe/Paris', paris),
  place('Lyon', 'Auvergne-Rhône-Alpes', 'FR', 'Europe/Paris', paris),
  place('Sydney', 'New South Wales', 'AU', 'Australia/Sydney', sydney),
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
  const pick = <Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const weighted = <Name extends string>(weights: Record<Name, number>): Name => {
    const names = Object.keys(weights) as Name[]
    let left = random() * names.reduce((sum, name) => sum + weights[name], 0)
    return names.find(name => (left -= weights[name]) < 0) ?? (names[0] as Name)
  }
  const addresses = new Set<string>()

  const people = Array.from({ length: count }, (_, index) => {
    const firstName = pick(firstNames)
    const lastName = pick(lastNames)
    const companyName = pick(companies)
    const companyDomain = `${plain(companyName)}.example`
    const where = pick(places)
    const source = weighted(sourceWeights)
    const stage = weighted(stageWeights)
    const createdAt = new Date(now.getTime() - dayMs * (days * (1 - Math.sqrt(random())) + 0.02))
    const owner = pick(demoUsers)
    const steps = stepsTo(stage, createdAt, now, actorOf(owner), random)
    const hasEmail = random() < 0.94
    const email = freeAddress(`${plain(firstName)}.${plain(lastName)}`, companyDomain, addresses)
    const isCustomer = stage === 'customer' || stage === 'evangelist'
    const createdBy = madeBy(source, owner)
    const fields: ContactFields = {
      ...emptyContact,
      email: hasEmail ? email : null,
      firstName,
      lastName,
      fullName: `${firstName} ${lastName}`,
      phone: random() < 0.62 || !hasEmail ? where.phone(index * 7 + 11) : null,
      jobTitle: random() < 0.85 ? pick(jobTitles) : null,
      companyName,
      companyDomain,
      linkedinUrl: random() < 0.3 ? `https://www.linkedin.example/in/${plain(firstName)}-${plain(lastName)}-${index}` : null,
      city: where.city,
      region: where.region,
      country: where.country,
      timezone: where.timezone,
      lifecycleStage: stage,
      source,
      ownerUserId: random() < 0.7 ? owner.id : null,
      tags: tagNames.filter(() => random() < 0.14),
      custom: {
        newsletter: random() < 0.5,
        ...(random() < 0.4 && { interests: demoCustomFields[4]?.options?.filter(() => random() < 0.4) ?? [] }),
        ...(random() < 0.35 && { website: `https://www.${companyDomain}` }),
        ...(isCustomer && { plan: pick(['free', 'team', 'team', 'enterprise']), seats: 1 + Math.floor(random() ** 3 * 200) }),
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
    const email = freeAddress(plain(`${firstName?.slice(0, 1)}${lastName}`), companyDomain ?? '', addresses)
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

function freeAddress(name: string, domain: string, taken: Set<string>): string {
  for (let number = 1; ; number++) {
    const address = `${name}${number === 1 ? '' : number}@${domain}`
    if (taken.has(address)) continue
    taken.add(address)
    return address
  }
}

// The part of a name that is valid in an e-mail address.
const plain = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/&/g, 'and')
    .replace(/[^a-z0-9]/g, '')

// mulberry32: good enough for choosing names, and with equal results on every machine.
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
