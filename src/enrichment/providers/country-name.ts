// Converts codes and English country names to country codes.

import { countries } from '../../kernel/input/countries.ts'

const names = new Intl.DisplayNames('en', { type: 'region' })
const plain = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[^a-zA-Z]/g, '')
    .toLowerCase()
const codeByName = new Map([...countries].map(code => [plain(names.of(code) ?? code), code]))
for (const [name, code] of [
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
] as const)
  codeByName.set(name, code)

/** The ISO 3166-1 alpha-2 code; null when the text is neither a code nor a known name. */
export function countryCode(text: string): string | null {
  const code = text.trim().toUpperCase()
  return countries.has(code) ? code : (codeByName.get(plain(text)) ?? null)
}
