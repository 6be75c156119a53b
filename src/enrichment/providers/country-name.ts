// Converts codes and English country names to country codes.

import { countries } from '../../kernel/countries.ts'

const plain = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[^a-zA-Z]/g, '')
    .toLowerCase()
const otherNames = [
  ['usa', 'US'],
  ['unitedstatesofamerica', 'US'],
  ['uk', 'GB'],
  ['greatbritain', 'GB'],
  ['england', 'GB'],
  ['czechrepublic', 'CZ'],
  ['turkey', 'TR'],
  ['holland', 'NL'],
  ['thenetherlands', 'NL'],
  ['southkorea', 'KR'],
  ['russianfederation', 'RU'],
] as const

// Made at the first use, because the names are data of the language that a start does without.
let codeByName: ReadonlyMap<string, string> | undefined
function codesByName(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  return new Map([...[...countries].map(code => [plain(names.of(code) ?? code), code] as const), ...otherNames])
}

/** The ISO 3166-1 alpha-2 code; null when the text is neither a code nor a known name. */
export function countryCode(text: string): string | null {
  const code = text.trim().toUpperCase()
  if (countries.has(code)) return code
  codeByName ??= codesByName()
  return codeByName.get(plain(text)) ?? null
}
