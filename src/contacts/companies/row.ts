// Companies as they are stored: their events, field table and columns.

import {
  bigint,
  integer,
  jsonb,
  object,
  type RowOf,
  type Selected,
  table,
  text,
  textArray,
  timestamptz,
  uuid,
} from '../../database/table.ts'
import { currency } from '../../kernel/currencies/amounts.ts'
import { asGiven, columnsOf, count, field, fieldTable, namesOf, neededWords, reference, words } from '../../kernel/fields/table.ts'
import { text as reading, webAddress } from '../../kernel/input/fields.ts'
import { eventsOf, update } from '../../kernel/nouns/events.ts'
import { actorColumns } from '../../kernel/principal.ts'
import { phone } from '../contact/fields.ts'
import { country, tags } from '../records/fields.ts'
import { type ContactSource, contactSources } from '../records/source.ts'
import { companyDomain, companyDomains, maxDomains } from './domains.ts'

export const companyEvents = eventsOf('company', {
  created: 'A company was added.',
  deleted: 'A company was deleted.',
  restored: 'A deleted company was brought back.',
  updated: update('A company was changed.'),
})

/** The fields that callers may set. `annualRevenue` is beside them, because its value depends on its currency. */
export const companyFields = fieldTable({
  name: neededWords(200, 'Name.', { takes: 'Name, at most 200 characters.' }),
  domain: field(text.orNull(), {
    type: 'String',
    read: companyDomain,
    is: 'The domain, such as example.com. One live company has it.',
    takes: 'A domain; a web address is cut down to it. Domains of mail providers are refused.',
  }),
  domains: field(textArray, {
    type: ['String'],
    read: companyDomains,
    is: 'Further domains, each once.',
    takes: `All further domains: at most ${maxDomains}. One live company has each.`,
    default: [],
  }),
  website: field(text.orNull(), { type: 'URL', read: webAddress, is: 'Website.', takes: 'An http or https address.' }),
  phone: field(text.orNull(), {
    type: 'String',
    read: phone,
    is: 'In E.164 when it is an international number; else as it was given.',
    takes: 'Digits, spaces and `+().-`. International numbers (`+...`) are stored in E.164.',
  }),
  linkedinUrl: field(text.orNull(), { type: 'URL', read: webAddress, is: 'Page on LinkedIn.', takes: 'An http or https address.' }),
  industry: words(200, 'Industry.'),
  employeeCount: count('Number of employees.', { takes: 'A whole number of at least 0.' }),
  annualRevenueCurrency: field(text.orNull(), {
    type: 'String',
    read: currency,
    is: 'The currency of the annual revenue, by ISO 4217; null without one.',
    takes: 'The currency of the annual revenue, by ISO 4217, such as EUR. Default: the currency of the organization.',
  }),
  description: words(10_000, 'Description of the company.'),
  city: words(200, 'City.'),
  region: words(200, 'State, province or region.'),
  country: field(text.orNull(), {
    type: 'String',
    read: country,
    is: 'ISO 3166-1 alpha-2, such as DE.',
    takes: 'ISO 3166-1 alpha-2, such as DE.',
  }),
  ownerUserId: reference('The member of the organization who looks after the company.', { takes: 'A member of the organization.' }),
  tags: field(textArray, {
    type: ['String'],
    read: tags,
    is: 'Tags, each once.',
    takes: 'All tags: at most 50, of at most 64 characters each.',
    default: [],
  }),
  custom: field(jsonb.as<Readonly<Record<string, unknown>>>(), {
    type: 'JSONObject',
    read: asGiven,
    is: "The organization's custom fields of companies, by key.",
    takes: 'Custom fields by key. Others stay as they are; null removes one.',
    default: {},
  }),
  externalId: field(text.orNull(), {
    type: 'ID',
    read: reading(255),
    is: "The company's id in another system.",
    takes: "The company's id in another system, at most 255 characters.",
  }),
  source: field(text.as<ContactSource>(), {
    type: contactSources,
    read: asGiven,
    is: 'Where the company came from.',
    takes: 'Default: API for API keys, WEB for sessions, and so on.',
  }),
})

export const companyTable = table('companies', {
  id: uuid,
  orgId: uuid,
  ...columnsOf(companyFields),
  annualRevenue: bigint.orNull(),
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

export const storedFields = [...namesOf(companyFields), 'annualRevenue'] as const
/** The stored values of the fields that callers may set. */
export type CompanyFields = Pick<Company, (typeof storedFields)[number]>

/** The fields that may be empty: the nullable fields, and the lists. */
type Nullable = { [Name in keyof CompanyFields]: null extends CompanyFields[Name] ? Name : never }[keyof CompanyFields]
export type EmptiableField = Nullable | 'tags' | 'domains'
const isEmptiable = (name: keyof CompanyFields): name is EmptiableField =>
  name === 'tags' || name === 'domains' || name === 'annualRevenue' || companyFields[name].column.options.isNullable === true
// Object.fromEntries does not keep the key type; the keys are exactly these.
export const emptiableColumns = Object.fromEntries(
  storedFields.filter(isEmptiable).map(name => [name, companyTable.select([name]).sql]),
) as Readonly<Record<EmptiableField, string>>
