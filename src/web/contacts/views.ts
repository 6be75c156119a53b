// The saved views of contacts.

import { useContactFields, useOwners } from '../contact-record/fields/choices.ts'
import { FieldsOfContactsDocument } from '../generated/documents/contact-record-fields.ts'
import { ChangeViewOfContactsDocument, SaveViewOfContactsDocument, ViewsOfContactsDocument } from '../generated/documents/contacts.ts'
import type { ContactFilter } from '../generated/operations.ts'
import { type ContactSort, contactSortValues } from '../generated/schema.ts'
import { nounWords } from '../language/en/values.ts'
import { countryName } from '../language/values.ts'
import type { ViewKind } from '../saved-views/kind.ts'
import { filterKinds } from './filters/kinds.ts'
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
  searchOf,
  sortOf: sort => contactSortValues.find(value => value === sort),
  isFiltered,
  isOfDeleted: ({ deleted }) => deleted === 'only',
  useWords(search) {
    const owners = useOwners()
    const kinds = filterKinds(owners, useContactFields())
    const { country = [], owner = [] } = search
    // Members are left out until their names are known.
    const named: Readonly<Record<string, readonly string[]>> = {
      country: country.map(countryName),
      owner: owner.flatMap(one => owners.find(({ value }) => value === one)?.label ?? []),
    }
    const said = kinds.flatMap(({ id, label, says, editor }) => {
      const text = named[id]?.join(', ') ?? says(search)
      if (text === '') return []
      // The chip of a company reads its name.
      if (editor.kind === 'company') return [label]
      return saysAll.has(id) ? [text] : [`${label}: ${text}`]
    })
    return search.q ? [...said, search.q] : said
  },
}

/** Filters whose values say by themselves what they are. */
const saysAll = new Set(['stage', 'owner', 'tag', 'company', 'domain', 'city', 'country', 'doNotCall'])
