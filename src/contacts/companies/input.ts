// Validates and applies the changes of a company. Pure: checks that need the database are in check.ts of records and in company.ts.

import { amount } from '../../kernel/currencies/amounts.ts'
import { emptyOf, type InputOf } from '../../kernel/fields/table.ts'
import { at, Invalid } from '../../kernel/input/problem.ts'
import { customAfter, differencesOf, tagsAfter } from '../records/apply.ts'
import { type RecordChanges, type RecordPatch, readRecord } from '../records/input.ts'
import { amountOf, moneyAfter, needsUsual } from '../records/money.ts'
import { searchText } from '../records/search-text.ts'
import type { ContactSource } from '../records/source.ts'
import { type CompanyFields, companyFields, storedFields } from './row.ts'

/** An absent field stays unchanged, null clears it. `annualRevenue` is a decimal text. */
export interface CompanyInput extends InputOf<typeof companyFields> {
  annualRevenue?: string | null
}
export interface CompanyPatch extends CompanyInput, Omit<RecordPatch, 'custom'> {}

export interface CompanyChanges extends RecordChanges<Omit<CompanyFields, 'custom' | 'annualRevenue'>> {
  /** The decimal text of the input, or null to remove the amount; undefined leaves it. */
  annualRevenue: string | null | undefined
}

const { custom: _, ...ownFields } = companyFields
const { name: __, source: ___, ...empty } = emptyOf(companyFields)
// `as`: name and source alone have no default.
const emptyCompany = { ...empty, annualRevenue: null } as Omit<CompanyFields, 'name' | 'source'>

/** Validates an input. The result has the problems of all fields. */
export function readCompany({ annualRevenue: given, ...input }: CompanyPatch): CompanyChanges {
  const changes = readRecord(ownFields, input)
  const annualRevenue = typeof given === 'string' ? amount(given) : given
  if (!(annualRevenue instanceof Invalid)) return { ...changes, annualRevenue }
  return { ...changes, annualRevenue: undefined, problems: [...changes.problems, ...at('annualRevenue', annualRevenue)] }
}

/** The fields of a new company. */
export const startingFrom = (name: string, source: ContactSource, changes: CompanyChanges, usual: string | null): CompanyFields =>
  applyTo({ ...emptyCompany, name, source }, changes, usual)

/** The fields after the changes. `usual`: the currency of the organization. Throws INVALID. */
export function applyTo(before: CompanyFields, changes: CompanyChanges, usual: string | null): CompanyFields {
  const after: CompanyFields = { ...before, ...changes.fields, ...revenueAfter(before, changes, usual) }
  after.tags = tagsAfter(after.tags, changes)
  after.custom = customAfter(before.custom, changes)
  // The first one is no further one.
  if (after.domain !== null && after.domains.includes(after.domain)) after.domains = after.domains.filter(one => one !== after.domain)
  return after
}

type Revenue = Pick<CompanyFields, 'annualRevenue' | 'annualRevenueCurrency'>
const money = ({ annualRevenue: minor, annualRevenueCurrency: currency }: Revenue) => ({ minor, currency })
const change = ({ annualRevenue: amount, fields }: CompanyChanges) => ({ amount, currency: fields.annualRevenueCurrency })

/** Whether the changes need the currency of the organization. */
export const needsCurrency = (changes: CompanyChanges): boolean => needsUsual(change(changes))

function revenueAfter(before: Revenue, changes: CompanyChanges, usual: string | null): Revenue {
  const names = { amount: 'annualRevenue', currency: 'annualRevenueCurrency' }
  const { minor, currency } = moneyAfter(money(before), change(changes), usual, names)
  return { annualRevenue: minor, annualRevenueCurrency: currency }
}

/** The annual revenue as a decimal text; null for none. */
export const revenueOf = (revenue: Revenue): string | null => amountOf(money(revenue))

/** `{ field: [before, after] }` for every field that differs. */
export const differences = (before: CompanyFields, after: CompanyFields): Record<string, [unknown, unknown]> =>
  differencesOf(storedFields, told(before), told(after))
const told = (fields: CompanyFields) => ({ ...fields, annualRevenue: revenueOf(fields) })

/** All domains of the company. */
export const domainsOf = ({ domain, domains }: Pick<CompanyFields, 'domain' | 'domains'>): string[] =>
  domain === null ? domains : [domain, ...domains]

/** The text that the filter `q` and the search look into: name and domains. */
export const searchTextOf = (fields: Pick<CompanyFields, 'name' | 'domain' | 'domains'>): string =>
  searchText([fields.name, ...domainsOf(fields)], [fields.name])
