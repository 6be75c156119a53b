// The saved views of companies.

import { several } from '../address/params.ts'
import { ChangeViewOfCompaniesDocument, SaveViewOfCompaniesDocument, ViewsOfCompaniesDocument } from '../generated/documents/companies.ts'
import { FieldsOfCompaniesDocument } from '../generated/documents/company-record.ts'
import type { CompanyFilter } from '../generated/operations.ts'
import { type CompanySort, companySortValues } from '../generated/schema.ts'
import { nounWords } from '../language/en/values.ts'
import { countryName } from '../language/values.ts'
import type { ViewKind } from '../saved-views/kind.ts'
import { conditionsBeside } from '../saved-views/view.ts'
import { type CompanySearch, filterOf, isFiltered, noFilters } from './filters.tsx'

export const companyViews: ViewKind<CompanySearch, CompanySort> = {
  noun: 'COMPANIES',
  nouns: nounWords.company,
  list: ViewsOfCompaniesDocument,
  save: SaveViewOfCompaniesDocument,
  change: ChangeViewOfCompaniesDocument,
  fields: FieldsOfCompaniesDocument,
  nameColumn: 'name',
  conditionsOf: (companies: CompanyFilter) => ({ companies }),
  filterOf,
  searchOf: ({ q, ownerUserId, ownerUserIdIn, tag, tagIn, countryIn, onlyDeleted }: CompanyFilter) => ({
    ...noFilters,
    q: q ?? undefined,
    owner: several(ownerUserIdIn, ownerUserId),
    tag: several(tagIn, tag),
    country: several(countryIn),
    deleted: onlyDeleted || undefined,
  }),
  unknownIn: conditionsBeside(['q', 'ownerUserId', 'ownerUserIdIn', 'tag', 'tagIn', 'countryIn', 'onlyDeleted']),
  sortOf: sort => companySortValues.find(value => value === sort),
  isFiltered,
  isOfDeleted: ({ deleted }) => deleted === true,
  wordsOf: ({ q, tag = [], country = [] }) => [...tag, ...country.map(countryName), ...(q ? [q] : [])],
}
