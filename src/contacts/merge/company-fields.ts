// Which values a merged company has, and from which company they come. Pure.

import { minorOf } from '../../kernel/currencies/amounts.ts'
import { invalid } from '../../kernel/errors.ts'
import { tooLong } from '../../kernel/input/fields.ts'
import { at, Invalid } from '../../kernel/input/problem.ts'
import { maxDomains } from '../companies/domains.ts'
import { domainsOf, revenueOf } from '../companies/input.ts'
import { type Company, type CompanyFields, storedFields } from '../companies/row.ts'
import { fitTags, tooManyTags } from '../records/fields.ts'
import {
  type CustomChoices,
  checkKeys,
  combine,
  decideCustom,
  decideField,
  type MergedField,
  type MergeSide,
  shown,
  unmerged,
  valuesOf,
} from './decide.ts'

// The currency belongs to the amount, so both are of one side.
type ChosenField = Exclude<keyof CompanyFields, 'custom' | 'tags' | 'domains' | 'annualRevenueCurrency'>

/** The fields for which one of the two values is kept. For the other fields both values are combined. */
export const chosenCompanyFields = storedFields.filter(
  (field): field is ChosenField => !(['custom', 'tags', 'domains', 'annualRevenueCurrency'] as string[]).includes(field),
)

/** The side whose value is kept where both have one. Default: the winner. */
export type CompanyMergeChoices = { [Field in ChosenField]?: MergeSide | null } & CustomChoices

/** The winner's fields after the merge, and the origin of each value that one of the two companies has. */
export function mergeCompanyFields(
  winner: Company,
  loser: Company,
  choices: CompanyMergeChoices,
): { fields: CompanyFields; merged: MergedField[] } {
  checkKeys(winner, loser, choices, 'company')
  const chosen = chosenCompanyFields.map(field => decideField(field, told(winner, field), told(loser, field), choices[field]))
  const domain = chosen.find(({ field }) => field === 'domain')?.value ?? null
  const domains = [...new Set([...domainsOf(winner), ...domainsOf(loser)])].filter(one => one !== domain)
  const merged = [
    ...chosen,
    combine('domains', winner.domains, loser.domains, domains, 'united'),
    combine('tags', winner.tags, loser.tags, [...new Set([...winner.tags, ...loser.tags])], 'united'),
    ...decideCustom(winner, loser, choices),
  ]
  const { own, custom } = valuesOf(merged)
  const revenue = merged.find(({ field }) => field === 'annualRevenue')?.keeps === 'loser' ? loser : winner
  const { annualRevenue, annualRevenueCurrency } = revenue
  // `as`: each value belongs to its field, because it comes from the two companies.
  const fields = { ...fieldsOf(winner), ...(own as unknown as CompanyFields), annualRevenue, annualRevenueCurrency, custom }
  if (!fitTags(fields.tags)) throw invalid(at('tags', tooManyTags(fields.tags)))
  if (domains.length > maxDomains) throw invalid(at('domains', tooLong(domains, maxDomains)))
  return { fields, merged: shown(merged) }
}

/** The winner's fields without the values from the merge that nobody has changed since. */
export function unmergeCompanyFields(current: Company, changes: Readonly<Record<string, readonly [unknown, unknown]>>): CompanyFields {
  const { annualRevenue: amount, annualRevenueCurrency: currency, ...others } = changes
  const fields = unmerged(fieldsOf(current), others, ['tags', 'domains'])
  const isAsMerged = (!amount || amount[1] === revenueOf(current)) && (!currency || currency[1] === current.annualRevenueCurrency)
  if (!isAsMerged || !(amount || currency)) return fields
  const former = { amount: amount ? amount[0] : revenueOf(current), currency: currency ? currency[0] : current.annualRevenueCurrency }
  if (typeof former.amount !== 'string' || typeof former.currency !== 'string')
    return { ...fields, annualRevenue: null, annualRevenueCurrency: null }
  const minor = minorOf(former.amount, former.currency)
  return minor instanceof Invalid ? fields : { ...fields, annualRevenue: minor, annualRevenueCurrency: former.currency }
}

const told = (company: Company, field: ChosenField): unknown => (field === 'annualRevenue' ? revenueWords(company) : company[field])
const revenueWords = (company: Company): string | null => {
  const amount = revenueOf(company)
  return amount === null ? null : `${amount} ${company.annualRevenueCurrency}`
}

// `as`: the stored fields of the row.
const fieldsOf = (company: Company) => Object.fromEntries(storedFields.map(name => [name, company[name]])) as unknown as CompanyFields
