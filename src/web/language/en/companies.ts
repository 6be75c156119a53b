// Words of the list of companies and of their pages.

import { room } from '../language.ts'

export const companyWords = room('companies', {
  one: 'Company',
  new: 'New',
  signUp: 'Sign up',
  signUpToAdd: 'Sign up to add companies',
  empty: 'The companies you sell to are listed here.',
  noMatch: 'No company matches these filters.',
  noDeleted: 'No deleted company matches. Deleted companies are kept until somebody restores them.',
  search: { label: 'Search companies', example: 'Name or domain' },
  filter: {
    anyOwner: 'Any owner',
    anyTag: 'Any tag',
    anyCountry: 'Any country',
    deleted: 'Deleted',
    clearAll: 'Clear all',
  },
  create: {
    title: 'New company',
    verb: 'Create company',
    needed: 'Enter a name or a domain',
    nameless: 'Without a name, the domain is the name',
    domain: 'Such as acme.com. Unique among your companies',
  },
  actions: {
    more: 'More actions',
    copyId: 'Copy the id',
    mergeWith: 'Merge with another company',
    delete: 'Delete the company',
    restore: 'Restore',
    deleted: (name: string) => `${name} deleted`,
    notDeleted: (name: string) => `${name} was not deleted`,
    notRestored: (name: string) => `${name} was not restored`,
  },
  tabs: { fields: 'Fields', timeline: 'Timeline' },
  fields: 'Fields',
  people: { title: 'People', none: 'Nobody yet', add: 'Add a person', all: 'Show all' },
  gone: {
    title: 'This company was not found',
    unknown: 'Check the address. The company may also belong to another organization.',
    toCompanies: 'Go to the companies',
  },
  duplicates: 'Duplicates of companies',
  keepsAll: 'Its history is kept. Restore it to edit it.',
})
