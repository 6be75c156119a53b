// The filters of the list: as the address writes them, and as the API takes them.

import { dayRange, momentsOf, rangeOf } from '../../address/day-range.ts'
import { flag, id, oneOf, type Param, several, someOf, text, texts } from '../../address/params.ts'
import type { ContactFilter } from '../../generated/operations.ts'
import { contactSortValues, contactSourceValues, contactValueValues, lifecycleStageValues } from '../../generated/schema.ts'
import { customConditions, customFilter, customTexts } from './custom.ts'

export const filterParams = {
  q: text(),
  stage: someOf(lifecycleStageValues),
  owner: texts(),
  tag: texts(),
  tagAll: texts(),
  source: someOf(contactSourceValues),
  companyId: id,
  company: texts(),
  domain: texts(),
  city: texts(),
  country: texts(),
  doNotCall: flag,
  added: dayRange,
  changed: dayRange,
  contacted: dayRange,
  empty: someOf(contactValueValues),
  filled: someOf(contactValueValues),
  custom: customConditions,
  // The id of an import of a file.
  import: text(),
  // `true` lists deleted contacts as well, `only` lists no others.
  deleted: oneOf(['true', 'only']),
} as const

export const sortParam = oneOf(contactSortValues)

type ValueOf<Given> = Given extends Param<infer Value> ? Value : never
export type FilterSearch = { [Name in keyof typeof filterParams]?: ValueOf<(typeof filterParams)[Name]> | undefined }
export type FilterName = keyof FilterSearch

const filterNames = Object.keys(filterParams) as FilterName[]

/** The change that clears every filter of the address. */
export const noFilters = Object.fromEntries(filterNames.map(name => [name, undefined])) as FilterSearch

export const isFiltered = (search: FilterSearch): boolean => filterNames.some(name => search[name] !== undefined)

export function filterOf(search: FilterSearch): ContactFilter {
  const { q, stage, owner, tag, tagAll, source, company, domain, city, country, doNotCall, empty, filled, custom, deleted } = search
  const added = momentsOf(search.added)
  const changed = momentsOf(search.changed)
  const contacted = momentsOf(search.contacted)
  const filter: ContactFilter = {
    q,
    lifecycleStageIn: stage,
    ownerUserIdIn: owner,
    tagIn: tag,
    tagAll,
    sourceIn: source,
    companyId: search.companyId,
    companyNameContains: company,
    companyDomainContains: domain,
    cityContains: city,
    countryIn: country,
    doNotCall,
    empty,
    notEmpty: filled,
    custom: custom && customFilter(custom),
    importId: search.import,
    includeDeleted: deleted === 'true' || undefined,
    onlyDeleted: deleted === 'only' || undefined,
    createdSince: added.since,
    createdUntil: added.until,
    updatedSince: changed.since,
    updatedUntil: changed.until,
    lastContactedSince: contacted.since,
    lastContactedUntil: contacted.until,
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
}

/** The filters of a saved view as parameters. */
export function searchOf(filter: ContactFilter): FilterSearch {
  const search: FilterSearch = {
    q: filter.q ?? undefined,
    stage: several(filter.lifecycleStageIn, filter.lifecycleStage),
    owner: several(filter.ownerUserIdIn, filter.ownerUserId),
    tag: several(filter.tagIn, filter.tag),
    tagAll: several(filter.tagAll),
    source: several(filter.sourceIn, filter.source),
    companyId: filter.companyId ?? undefined,
    company: several(filter.companyNameContains),
    domain: several(filter.companyDomainContains),
    city: several(filter.cityContains),
    country: several(filter.countryIn),
    doNotCall: filter.doNotCall ?? undefined,
    added: rangeOf(filter.createdSince, filter.createdUntil),
    changed: rangeOf(filter.updatedSince, filter.updatedUntil),
    contacted: rangeOf(filter.lastContactedSince, filter.lastContactedUntil),
    empty: several(filter.empty),
    filled: several(filter.notEmpty),
    custom: filter.custom ? customTexts(filter.custom) : undefined,
    import: filter.importId ?? undefined,
    deleted: filter.onlyDeleted ? 'only' : filter.includeDeleted ? 'true' : undefined,
  }
  return { ...noFilters, ...search }
}
