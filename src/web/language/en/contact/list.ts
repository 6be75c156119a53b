// Words of the list of contacts: its search and filters.

import { room } from '../../language.ts'

export const listWords = room('contactList', {
  new: 'New',
  signUp: 'Sign up',
  signUpToAdd: 'Sign up to add contacts',
  noDeleted: 'No deleted contact matches. Deleted contacts are kept until somebody restores them.',
  noMatch: 'No contact matches these filters.',
  empty: 'The people you call and write to are listed here.',
  guide: 'Adding contacts by API',
  more: 'More for contacts',
  search: {
    label: 'Search contacts',
    example: 'Name, email, number or company',
  },
  filter: {
    key: 'Filter the list',
    button: 'Filter',
    clearAll: 'Clear all',
    clear: (filter: string) => `Clear the filter ${filter}`,
    allOf: (tags: string) => `all of ${tags}`,
    import: 'Import',
    oneFile: 'one file',
    companyName: 'Company name',
    domain: 'Domain',
    doNotCall: 'do not call',
    mayCall: 'may be called',
    without: 'Without a value in any of',
    with: 'With a value in each of',
    onlyDeleted: 'only',
    withDeleted: 'included',
    noValue: 'no value',
    anyValue: 'any value',
  },
  create: {
    title: 'New contact',
    verb: 'Create contact',
    needed: 'Enter at least a name, an email, a phone number or a company',
    unique: 'Unique among your contacts',
    phone: 'With the country, such as +49 30 1234567',
  },
})
