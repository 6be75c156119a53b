// Values and names of fields as texts for people.

import { fieldWords, valueWords } from './en/values.ts'
import { locale } from './language.ts'

/** The text of a field's value: empty for an empty value, several values joined, "Yes" or "No". */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? valueWords.yes : valueWords.no
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, one]) => `${fieldLabel(name)}: ${valueText(one)}`)
    .join('; ')
}

/** Returns "Company" for `companyName` and `company_name`, "Shoe size" for `custom.shoe_size`, which has no words of its own. */
export function fieldLabel(field: string): string {
  const name = field.replaceAll(/_([a-z\d])/g, (_match, letter: string) => letter.toUpperCase())
  return Object.hasOwn(fieldWords, name) ? fieldWords[name as keyof typeof fieldWords] : plainWords(field.replace(/^custom\./, ''))
}

/** The words of an identifier that somebody else has named, such as a key in extracted values: "Best time" for `best_time` and `bestTime`. */
export function plainWords(name: string): string {
  const text = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.-]+/g, ' ')
    .trim()
    .toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The word for a value that may be newer than this page, or somebody else's. */
export const wordOf = (table: Readonly<Record<string, string>>, value: string): string =>
  Object.hasOwn(table, value) ? (table[value] ?? value) : plainWords(value)

/** The values of an enumeration as options of a select, in the order of the table. */
export const optionsOf = <Value extends string>(table: Readonly<Record<Value, string>>) =>
  (Object.entries(table) as [Value, string][]).map(([value, label]) => ({ value, label }))

/** The text with a capital letter. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })

/** "Germany" for `DE`; other texts as they are. */
export const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code)

/** The text of a value that stands in a field: countries by their names. */
export const fieldText = (field: string, value: unknown): string => (field === 'country' ? countryName(valueText(value)) : valueText(value))
