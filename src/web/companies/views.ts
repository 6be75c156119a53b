// The saved views of companies.

import { several } from '../address/params.ts'
import { useOwners } from '../contact-record/fields/choices.ts'
import { ChangeViewOfCompaniesDocument, SaveViewOfCompaniesDocument, ViewsOfCompaniesDocument } from '../generated/documents/companies.ts'
import { FieldsOfCompaniesDocument } from '../generated/documents/company-record.ts'
import type { CompanyFilter } from '../generated/operations.ts'
import { type CompanySort, companySortValues } from '../generated/schema.ts'
import { companyWords } from '../language/en/companies.ts'
import { nounWords } from '../language/en/values.ts'
import { countryName } from '../language/values.ts'
import type { ViewKind } from '../saved-views/kind.ts'
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
  sortOf: sort => companySortValues.find(value => value === sort),
  isFiltered,
  isOfDeleted: ({ deleted }) => deleted === true,
  useWords({ q, owner = [], tag = [], country = [], deleted }) {
    const owners = useOwners()
    // Members are left out until their names are known.
    const labelOf = (id: string) => owners.find(({ value }) => value === id)?.label ?? []
    const said = [...owner.flatMap(labelOf), ...tag, ...country.map(countryName), ...(deleted ? [companyWords.filter.deleted] : [])]
    return q ? [...said, q] : said
  },
}
