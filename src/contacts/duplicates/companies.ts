// Duplicates of companies.

import { organizationOf } from '../../kernel/context.ts'
import { getCompany, loadCompanies } from '../companies/company.ts'
import { type Company, companyEvents } from '../companies/row.ts'
import { type Compared, companySections, compareCompanies, selectCompanyCandidates } from './companies.sql.ts'
import { duplicatesIn } from './duplicates.ts'
import type { Certainties, DuplicateReason } from './pair.ts'

export const companyDuplicates = duplicatesIn<Company>({
  noun: 'company',
  list: 'duplicates of companies',
  event: companyEvents.duplicate_dismissed,
  get: getCompany,
  load: loadCompanies,
  sections: companySections,
  async candidatesOf({ db }, { orgId, id }) {
    return (await db.query(selectCompanyCandidates, [orgId, id])).map(candidate => candidate.id)
  },
  async compare(context, pairs) {
    const ids = [pairs.map(([one]) => one.id), pairs.map(([, other]) => other.id)]
    const found = pairs.length > 0 ? await context.db.query(compareCompanies, [organizationOf(context), ...ids]) : []
    const byPlace = new Map(found.map(one => [one.place, one]))
    return pairs.map(([one, other], index) => {
      const compared = byPlace.get(index + 1)
      return compared ? certaintiesOf(compared, placesOf(one, other)) : {}
    })
  },
  timeline: ({ id: companyId }) => ({ companyId }),
})

/** How the places of two companies go together. */
type Places = 'one city' | 'one country' | 'unknown' | 'two cities' | 'two countries'

// How much a similar name tells. Half of the trigrams are equal: about one letter in ten may differ.
const weightOf: Readonly<Record<Places, number>> = {
  'one city': 0.8,
  'one country': 0.7,
  'two cities': 0.5,
  unknown: 0.4,
  'two countries': 0,
}
const minLikeness = 0.5

function certaintiesOf({ sameDomain, sameSite, samePhone, sameName, likeness }: Compared, places: Places): Certainties {
  const sure: Partial<Record<DuplicateReason, number>> = {}
  if (sameDomain) sure.domain = 0.95
  else if (sameSite) sure.website = 0.9
  if (samePhone) sure.phone = 0.85
  if (sameName) sure.name = places === 'two countries' ? 0.6 : 0.8
  else if (likeness >= minLikeness && weightOf[places] > 0) sure.similar_name = likeness * weightOf[places]
  return sure
}

function placesOf(one: Company, other: Company): Places {
  const isSame = (a: string | null, b: string | null) => (a === null || b === null ? null : a.toLowerCase() === b.toLowerCase())
  const [country, city] = [isSame(one.country, other.country), isSame(one.city, other.city)]
  if (country === false) return 'two countries'
  if (city !== null) return city ? 'one city' : 'two cities'
  return country === null ? 'unknown' : 'one country'
}
