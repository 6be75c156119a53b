// The saved views of contacts.

import { FieldsOfContactsDocument } from '../generated/documents/contact-record-fields.ts'
import { ChangeViewOfContactsDocument, SaveViewOfContactsDocument, ViewsOfContactsDocument } from '../generated/documents/contacts.ts'
import type { ContactFilter } from '../generated/operations.ts'
import { type ContactSort, contactSortValues } from '../generated/schema.ts'
import { contactWords } from '../language/en/contacts.ts'
import { nounWords } from '../language/en/values.ts'
import { countryName } from '../language/values.ts'
import type { ViewKind } from '../saved-views/kind.ts'
import { type FilterSearch, filterOf, isFiltered, searchOf } from './filters/search.ts'

export const contactViews: ViewKind<FilterSearch, ContactSort> = {
  noun: 'CONTACTS',
  nouns: nounWords.contact,
  list: ViewsOfContactsDocument,
  save: SaveViewOfContactsDocument,
  change: ChangeViewOfContactsDocument,
  fields: FieldsOfContactsDocument,
  nameColumn: 'fullName',
  conditionsOf: (contacts: ContactFilter) => ({ contacts }),
  filterOf,
  searchOf: (filter: ContactFilter) => searchOf(filter).search,
  unknownIn: (filter: ContactFilter) => searchOf(filter).unknown,
  sortOf: sort => contactSortValues.find(value => value === sort),
  isFiltered,
  isOfDeleted: ({ deleted }) => deleted === 'only',
  wordsOf: ({ q, stage = [], tag = [], tagAll = [], company = [], city = [], country = [] }) => [
    ...stage.map(one => contactWords.stage[one]),
    ...[...tag, ...tagAll, ...company, ...city],
    ...country.map(countryName),
    ...(q ? [q] : []),
  ],
}
