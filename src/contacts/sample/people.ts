// People who do not exist, for the demo organization and for sample data: the same ones every time. Domains end in .example and phone numbers are
// those that regulators reserve for fiction, so that no real person is reached.

export interface Person {
  firstName: string
  lastName: string
  fullName: string
  jobTitle: string
  companyName: string
  companyDomain: string
  email: string
  phone: string
  city: string
  region: string
  country: string
  timezone: string
}

export type Random = () => number

/** Chooses one of the items. */
export const pick = <Item>(random: Random, items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item

/** Makes people, each with an address of their own. */
export function createPeople(random: Random): (index: number) => Person {
  const addresses = new Set<string>()
  const phones = new Set<string>()
  return index => {
    const firstName = pick(random, firstNames)
    const lastName = pick(random, lastNames)
    const companyName = pick(random, companies)
    const companyDomain = `${plain(companyName)}.example`
    const { phone, ...where } = pick(random, places)
    return {
      ...{ firstName, lastName, fullName: `${firstName} ${lastName}`, companyName, companyDomain, ...where },
      ...{ jobTitle: pick(random, jobTitles), phone: freePhone(phone, index * 7 + 11, phones) },
      email: freeAddress(`${plain(firstName)}.${plain(lastName)}`, companyDomain, addresses),
    }
  }
}

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

/** An address that is not in the set yet, which gets it. */
export function freeAddress(name: string, domain: string, taken: Set<string>): string {
  for (let number = 1; ; number++) {
    const address = `${name}${number === 1 ? '' : number}@${domain}`
    if (taken.has(address)) continue
    taken.add(address)
    return address
  }
}

// The numbers for fiction of a place are few: two people have one number only where all of them are taken.
function freePhone(phone: Place['phone'], first: number, taken: Set<string>): string {
  let number = first
  for (let tries = 0; tries < 100 && taken.has(phone(number)); tries++) number++
  taken.add(phone(number))
  return phone(number)
}

/** The part of a name that is valid in an email address. */
export const plain = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/&/g, 'and')
    .replace(/[^a-z0-9]/g, '')

/** mulberry32: good enough for choosing names, and with equal results on every machine. */
export function generator(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
