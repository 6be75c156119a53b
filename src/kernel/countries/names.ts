// Countries by the names that people and other systems give them.

import isoCodes from 'i18n-iso-countries/codes.json' with { type: 'json' }
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import { countries } from './codes.ts'

// The languages of most contacts' countries: a country is found by its name in each of them.
const languages =
  'en de fr es it pt nl pl sv da nb nn fi is et lv lt cs sk hu ro bg el hr sl sr bs sq mk uk ru be tr az hy ka kk ar he fa hi bn ur th vi id ' +
  'ms fil ja ko zh zh-Hant sw af ca eu gl ga cy mt lb'

const further: Readonly<Record<string, string>> = {
  GB: 'England, Scotland, Wales, Northern Ireland, Britain, United Kingdom of Great Britain and Northern Ireland',
  US: 'United States, America, Estados Unidos, EE. UU., EUA, Etats-Unis',
  AE: 'Emirates',
  IE: 'Republic of Ireland, Eire',
  NL: 'Holland',
  DE: 'Federal Republic of Germany, BRD',
  KR: 'Korea South, Korea',
  KP: "North Korea, Korea North, Korea Democratic People's Republic of, Democratic People's Republic of Korea",
  CD: 'DR Congo, DRC, Congo Democratic Republic of the, Congo Kinshasa, Zaire',
  CG: 'Congo Brazzaville, Republic of Congo',
  MM: 'Burma',
  SZ: 'Swaziland',
  TL: 'East Timor',
  CV: 'Cape Verde, Cabo Verde',
  CZ: 'Czech Rep',
  MK: 'Macedonia, FYROM',
  VA: 'Vatican, Holy See',
  VN: 'Viet Nam',
  LA: "Lao PDR, Lao People's Democratic Republic, Laos",
  SY: 'Syrian Arab Republic, Syria',
  BN: 'Brunei',
  BO: 'Bolivia',
  VE: 'Venezuela',
  MD: 'Moldova',
  FM: 'Micronesia',
  HK: 'Hong Kong SAR',
  MO: 'Macao, Macau',
  VG: 'British Virgin Islands, Virgin Islands British',
  VI: 'US Virgin Islands, Virgin Islands US',
}

/** Letters and digits without accents and case; `The Netherlands` and `netherlands` are the same. */
const plain = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/^the(?=.{4})/, '')

let codeByName: ReadonlyMap<string, string> | undefined

// Built at the first use: 14,000 names, which take a tenth of a second.
function names(): ReadonlyMap<string, string> {
  if (codeByName) return codeByName
  const found = new Map<string, string | null>()
  // A name of two countries names neither.
  const add = (name: string, code: string) => {
    const key = plain(name)
    if (key !== '') found.set(key, (found.get(key) ?? code) === code ? code : null)
  }
  for (const language of languages.split(' ')) {
    const display = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (const code of countries) add(display.of(code) ?? '', code)
  }
  for (const [code, given] of Object.entries(english.countries)) if (countries.has(code)) for (const name of [given].flat()) add(name, code)
  for (const [code = '', three = ''] of isoCodes as string[][]) if (countries.has(code)) add(three, code)
  // These decide.
  for (const [code, given] of Object.entries(further)) for (const name of given.split(', ')) found.set(plain(name), code)
  codeByName = new Map([...found].flatMap(([name, code]) => (code === null ? [] : [[name, code] as const])))
  return codeByName
}

// In characters. Longer than any name; folding a megabyte of what others answer takes seconds.
const maxName = 200

/** The code of ISO 3166-1 alpha-2 of a country's code or name, in most languages; null for what is neither. */
export function countryNamed(text: string): string | null {
  if (text.length > maxName) return null
  const code = text.trim().toUpperCase()
  if (countries.has(code)) return code
  const name = plain(text)
  return names().get(name) ?? names().get(plain(text.replace(/\([^()]*\)/g, '').split(',', 1)[0] ?? '')) ?? null
}
