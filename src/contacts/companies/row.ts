// Companies as they are stored: their events, field table and columns.

import { bigint, integer, object, type RowOf, type Selected, table, text, textArray, timestamptz, uuid } from '../../database/table.ts'
import { currency } from '../../kernel/currencies/amounts.ts'
import { columnsOf, count, field, fieldTable, namesOf, neededWords, words } from '../../kernel/fields/table.ts'
import { webAddress } from '../../kernel/input/fields.ts'
import { eventsOf, update } from '../../kernel/nouns/events.ts'
import { actorColumns } from '../../kernel/principal.ts'
import { phone } from '../contact/fields.ts'
import {
  countryField,
  customField,
  type Emptiable,
  emptiableOf,
  externalIdField,
  ownerField,
  sourceField,
  tagsField,
} from '../records/common-fields.ts'
import { companyDomain, companyDomains, maxDomains } from './domains.ts'

export const companyEvents = eventsOf('company', {
  created: 'A company was added.',
  deleted: 'A company was deleted.',
  duplicate_dismissed: 'Somebody said that two companies are not the same.',
  merged: 'A company was merged into this one.',
  noted: 'A note was added to a company.',
  restored: 'A deleted company was brought back.',
  unmerged: 'A merge was undone: the other company is back.',
  updated: update('A company was changed.'),
})

/** The fields that callers may set. `annualRevenue` is beside them, because its value depends on its currency. */
export const companyFields = fieldTable({
  name: neededWords(200, 'Name.', { takes: 'Name, at most 200 characters.', suggestedAs: 'text' }),
  domain: field(text.orNull(), {
    type: 'String',
    read: companyDomain,
    is: 'The domain, such as example.com. One live company has it.',
    takes: 'A domain; a web address is cut down to it. Domains of mail providers are refused.',
    suggestedAs: 'domain',
  }),
  domains: field(textArray, {
    type: ['String'],
    read: companyDomains,
    is: 'Further domains, each once.',
    takes: `All further domains: at most ${maxDomains}. One live company has each.`,
    default: [],
  }),
  website: field(text.orNull(), { type: 'URL', read: webAddress, is: 'Website.', takes: 'An http or https address.', suggestedAs: 'url' }),
  phone: field(text.orNull(), {
    type: 'String',
    read: phone,
    is: 'In E.164 when it is an international number; else as it was given.',
    takes: 'Digits, spaces and `+().-`. International numbers (`+...`) are stored in E.164.',
    suggestedAs: 'phone',
  }),
  linkedinUrl: field(text.orNull(), {
    type: 'URL',
    read: webAddress,
    is: 'Page on LinkedIn.',
    takes: 'An http or https address.',
    suggestedAs: 'url',
  }),
  industry: words(200, 'Industry.', { suggestedAs: 'text', countedBy: 'Industry.' }),
  employeeCount: count('Number of employees.', { takes: 'A whole number of at least 0.', suggestedAs: 'number' }),
  annualRevenueCurrency: field(text.orNull(), {
    type: 'String',
    read: currency,
    is: 'The currency of the annual revenue, by ISO 4217; null without one.',
    takes: 'The currency of the annual revenue, by ISO 4217, such as EUR. Default: the currency of the organization.',
  }),
  description: words(10_000, 'Description of the company.', { suggestedAs: 'text' }),
  city: words(200, 'City.', { suggestedAs: 'text', countedBy: 'City.' }),
  region: words(200, 'State, province or region.', { suggestedAs: 'text', countedBy: 'State, province or region.' }),
  country: countryField({ suggestedAs: 'country', countedBy: 'Country.' }),
  ownerUserId: ownerField('company', { countedBy: 'The member who looks after them, by the id of the user.' }),
  tags: tagsField,
  custom: customField("The organization's custom fields of companies, by key."),
  externalId: externalIdField('company'),
  source: sourceField('company', { countedBy: 'Where they came from.' }),
})

// The stored values of the fields that callers may set.
const stored = { ...columnsOf(companyFields), annualRevenue: bigint.orNull() }

export const companyTable = table('companies', {
  id: uuid,
  orgId: uuid,
  ...stored,
  createdBy: object(actorColumns),
  createdAt: timestamptz,
  updatedAt: timestamptz,
  deletedAt: timestamptz.orNull(),
  version: integer,
  // Searched by the filter `q` and the search.
  searchText: text.writeOnly(),
})

/** `annualRevenue` is in the smallest unit of its currency. */
export interface Company extends RowOf<typeof companyTable> {}
export const listedProperties = ['id', 'orgId', 'createdAt', 'updatedAt'] as const
/** The properties that every row of a list has. */
export type CompanyInList = Pick<Company, (typeof listedProperties)[number]>
/** A company in a list, with the properties that its query selects. */
export type ListedCompany = Selected<Company, keyof CompanyInList>

export const storedFields = namesOf(stored)
/** The stored values of the fields that callers may set. */
export type CompanyFields = Pick<Company, keyof typeof stored>
export type EmptiableField = Emptiable<typeof stored>
export const emptiableColumns = emptiableOf(stored)
