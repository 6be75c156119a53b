// Countries by the names that people and other systems give them.

import isoCodes from 'i18n-iso-countries/codes.json' with { type: 'json' }
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import { countries } from '../../../kernel/countries.ts'
import { nearest } from './nearest.ts'

/** The languages of most contacts: countries and months are found by their names in each of them. */
export const languages =
  'en de fr es it pt nl pl sv da nb nn fi is et lv lt cs sk hu ro bg el hr sl sr bs sq mk uk ru be tr az hy ka kk ar he fa hi bn ur th vi id ' +
  'ms fil ja ko zh zh-Hant sw af ca eu gl ga cy mt lb'

const further: Readonly<Record<string, string>> = {
  GB: 'the UK, UK, VK, Ireland Northern, Great Britain and Northern Ireland, Gr Britain, N Ireland, Großbritannien, Grossbritannien, Grande Bretagne, Gran Bretaña, England, Scotland, Wales, Northern Ireland, Britain, United Kingdom of Great Britain and Northern Ireland',
  US: 'the US, VS, United States, America, Estados Unidos, EE. UU., EUA, Etats-Unis, Vereinigte Staaten von Amerika, Estados Unidos de América, Etats-Unis d’Amérique, Stati Uniti d’America',
  AE: 'Emirates, VAE',
  AT: 'Oesterreich',
  BA: 'Bosnia',
  CN: 'PRC, PR China, Mainland China, Volksrepublik China',
  MX: 'Méjico',
  NZ: 'Aotearoa',
  RU: 'РФ',
  SA: 'KSA, السعودية',
  SK: 'Slovak Republic',
  TH: 'ประเทศไทย',
  TW: 'Republic of China, ROC',
  ZA: 'RSA',
  IE: 'Republic of Ireland, Rep of Ireland, Eire, ROI',
  NL: 'Holland',
  DE: 'Federal Republic of Germany, Bundesrepublik Deutschland, BRD, West Germany, GER',
  KR: 'Korea South, S Korea, Korea',
  KP: "DPRK, Korea DPR, Korea Dem Rep, Korea Dem People's Rep, Korea Democratic, North Korea, Korea North, Korea Democratic People's Republic of, Democratic People's Republic of Korea",
  CD: 'DR Congo, DRC, Congo Dem Rep, Congo The Democratic Republic of the, Congo Democratic Republic of the, Congo Kinshasa, Zaire',
  CG: 'Congo Brazzaville, Congo Rep, Republic of Congo',
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
  VE: 'Venezuela, Venezuela RB',
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
    // Of two letters are codes alone: the short name of the United States in French is É.-U., and EU is none of them.
    if (!/^[a-z]{0,2}$/.test(key)) found.set(key, (found.get(key) ?? code) === code ? code : null)
  }
  for (const language of languages.split(' '))
    for (const style of ['long', 'short'] as const) {
      const display = new Intl.DisplayNames([language], { type: 'region', style, fallback: 'none' })
      for (const code of countries) add(display.of(code) ?? '', code)
    }
  for (const [code, given] of Object.entries(english.countries)) if (countries.has(code)) for (const name of [given].flat()) add(name, code)
  for (const [code = '', three = '', number = ''] of isoCodes as string[][])
    if (countries.has(code)) for (const name of [three, number]) add(name, code)
  // These decide.
  for (const [code, given] of Object.entries(further)) for (const name of given.split(', ')) found.set(plain(name), code)
  codeByName = new Map([...found].flatMap(([name, code]) => (code === null ? [] : [[name, code] as const])))
  return codeByName
}

// In characters. Longer than any name; folding a megabyte of others' answers takes seconds.
const maxName = 200

/**
 * The code of ISO 3166-1 alpha-2 of a country's code or name, in most languages: `Germany`, `GB-ENG`, `Germany (DE)`, `Berlin, Germany`, or its
 * flag. Null for a text that names none or several.
 */
export function countryNamed(text: string): string | null {
  if (text.length > maxName) return null
  const code = text.normalize('NFKC').replace(/[\s.]/g, '').toUpperCase()
  if (countries.has(code)) return code
  const flag = String.fromCharCode(...[...text.trim()].map(letter => (letter.codePointAt(0) ?? 0) - regionalA + 65))
  if (countries.has(flag)) return flag
  // A part of a country, as ISO 3166-2 has it. The European Union has a code of its own for Greece.
  const [, whole = ''] = /^([A-Z]{2})-[A-Z0-9]{1,3}$/.exec(code) ?? []
  if (countries.has(whole)) return whole
  if (code === 'EL') return 'GR'
  const named = nameOf(text)
  if (named !== undefined) return named
  const [, first = '', last = ''] = /^([^,]+),([^,]+)$/.exec(text) ?? []
  const reversed = nameOf(`${last} ${first}`)
  if (reversed !== undefined) return reversed
  // `Lebanon, NH` is a town in New Hampshire.
  if (/^\s*[A-Z]{2}\s*$/.test(last) && !countries.has(last.trim()) && nameOf(last) === undefined) return null
  // `Georgia, USA` has the names of two.
  const parts = [...new Set(text.split(/[,;/|()\n]|\s[-–—]\s/).flatMap(part => nameOf(part) ?? []))]
  return parts.length === 1 ? (parts[0] ?? null) : null
}

/** The country with the most similar name, of one that `countryNamed` does not know: `Germny`. Null for none, or several. */
export function countryGuessed(text: string): string | null {
  if (text.length > 60) return null
  const first = plain(text)[0]
  // A first letter is seldom wrong, and 14,000 names are many.
  return nearest(
    text,
    [...names()].filter(([name]) => name[0] === first),
  )
}

const regionalA = 0x1f1e6

// The long names of states: `Kingdom of Norway`.
const nameOf = (text: string) =>
  names().get(plain(text)) ??
  names().get(
    plain(
      text.replace(
        /^\s*(?:the\s+)?(?:(?:federal|fed\.|democratic|people['’]s|islamic)\s+)?(?:kingdom|republic|rep\.|state|commonwealth) of\s+/i,
        '',
      ),
    ),
  )
