// The statements that find companies that may be the same. `company_keys` has the sites, numbers and names of live ones.

import { statement } from '../../database/statement.ts'
import { boolean, integer, real, rows, uuid } from '../../database/table.ts'
import { isOpen, maxShared, sameNumber, sectionsOf } from './sections.sql.ts'

type Kind = 'site' | 'phone' | 'name'

const keysOf = (company: string) =>
  `company_keys_of(${['domain', 'domains', 'website', 'phone', 'name'].map(column => `${company}.${column}`).join(', ')})`
const holding = (kind: Kind) => `held.org_id = $1 and held.kind = '${kind}' and held.key = shared.key`
const companyOf = (name: string) => `join companies ${name} on ${name}.org_id = held.org_id and ${name}.id = held.company_id`

const sameSite = (one: string, other: string) =>
  `exists (select from ${keysOf(one)} mine join ${keysOf(other)} its on its.key = mine.key where mine.kind = 'site' and its.kind = 'site')`
const samePhone = `coalesce(${sameNumber('one.phone', 'other.phone')}, false)`

/** `and`: SQL about the companies `one` and `other`, which is false for pairs of an earlier section. */
const withSame = (kind: Kind, and: string) => ({
  sql: `select shared.key, one.id, pair.id as other_id
    from (select key from company_keys where org_id = $1 and kind = '${kind}' and key >= $2
      group by key having count(*) between 2 and ${maxShared} order by key) shared
    cross join lateral (
      select one.* from company_keys held ${companyOf('one')}
      where ${holding(kind)} and (held.key, held.company_id) > ($2, $3::uuid) order by held.company_id
    ) one
    cross join lateral (
      select other.id from company_keys held ${companyOf('other')}
      where ${holding(kind)} and held.company_id < one.id and ${and} and ${isOpen('held.company_id', 'one.id')}
      order by held.company_id limit 1
    ) pair`,
})

export const companySections = sectionsOf('company_duplicates', {
  site: withSame('site', 'true'),
  phone: withSame('phone', `${samePhone} and not ${sameSite('one', 'other')}`),
  name: withSame('name', `not ${samePhone} and not ${sameSite('one', 'other')}`),
})

// The maximum number of companies that are compared with one company by its name, and by each key.
const maxCompared = 50
/** Companies that may be the same as the company $2, also by similar names in places that do not contradict each other. $1 organization. */
export const selectCompanyCandidates = statement(
  'company_duplicates_of_one',
  `with mine as materialized (select *, company_name_key(name) as bare from companies where org_id = $1 and id = $2),
   alike as materialized (
     select id from companies where org_id = $1 and deleted_at is null and (select bare from mine) <% search_text
       and (country is null or country = coalesce((select country from mine), country))
   )
   select id from (
     select same.company_id as id from mine cross join lateral ${keysOf('mine')} keys cross join lateral (
       select company_id from company_keys held where held.org_id = $1 and held.kind = keys.kind and held.key = keys.key
       order by company_id limit ${maxCompared}
     ) same
     union (select id from alike limit ${maxCompared})
   ) candidate where id <> $2 and ${isOpen('id', '$2::uuid')}`,
  rows({ id: uuid }),
)

const compared = rows({ place: integer, sameDomain: boolean, sameSite: boolean, samePhone: boolean, sameName: boolean, likeness: real })
export type Compared = ReturnType<typeof compared.row>
/** The common properties of pairs of companies. $1 organization, $2 and $3 the companies of each pair, whose place begins at 1. */
export const compareCompanies = statement(
  'company_duplicates_compare',
  `select place::integer,
     exists (select from unnest(one.domains || one.domain) mine join unnest(other.domains || other.domain) its
       on site_of_domain(its) = site_of_domain(mine)) as same_domain,
     ${sameSite('one', 'other')} as same_site, ${samePhone} as same_phone,
     company_name_key(one.name) = company_name_key(other.name) as same_name,
     similarity(company_name_key(one.name), company_name_key(other.name)) as likeness
   from unnest($2::uuid[], $3::uuid[]) with ordinality as pair (one_id, other_id, place)
   join companies one on one.org_id = $1 and one.id = one_id
   join companies other on other.org_id = $1 and other.id = other_id`,
  compared,
)
