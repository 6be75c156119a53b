// Reads cells as values of the fields of contacts, as other systems and people write them. Pure.

import { countryNamed } from '../../../kernel/countries/names.ts'
import { cutText, shortened } from '../../../kernel/input/cut.ts'
import { Invalid, type Problem } from '../../../kernel/input/problem.ts'
import { storableText } from '../../../kernel/input/storable.ts'
import { perObject } from '../../../kernel/per-object.ts'
import { type ContactFields, contactSources, lifecycleStages } from '../../contact/row.ts'
import type { CustomField } from '../../custom-fields/field.sql.ts'
import { readCustom } from '../../custom-fields/value.ts'
import { withoutApostrophe } from '../../exports/csv.ts'
import { listOf } from '../../exports/lists.ts'
import { readField } from '../../write/input.ts'
import { type Cell, is, isPlaceholder, left } from './cell.ts'
import { readMoment } from './dates.ts'
import { phoneIn } from './phones.ts'

/** What is known of the organization while its cells are read. */
export interface Surroundings {
  /** ISO 3166-1 alpha-2; null when it is not known. */
  country: string | null
  /** The id of the member with this id, address or name, in lower case; null for a name of several. */
  members: ReadonlyMap<string, string | null>
}

/** Trimmed, without characters that cannot be seen or stored, and without the apostrophe of an export. */
export const textOf = (cell: string): string => withoutApostrophe(storableText(cell.replace(invisible, '')).trim())
const invisible = /[\0\u200b\u2060\ufeff\u200e\u200f\u202a-\u202e]/g

type Reader = (text: string, around: Surroundings) => Cell

const plainOf = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

const email: Reader = text => {
  const addresses = [...text.matchAll(/<([^<>]+)>/g)].map(([, inside = '']) => inside)
  const given = (addresses.length > 0 ? addresses : text.split(/:::|[;,\s]+/))
    .map(part => (part.trim().split('?', 1)[0] ?? '').replace(/^mailto:|^["'(]+|(?<!["').])["').]+$/gi, ''))
    .filter(part => part.includes('@'))
  const read = given.flatMap(address => {
    const value = readField('email', address)
    return typeof value === 'string' ? [value] : []
  })
  const [first] = read
  if (first === undefined) return left('is not an e-mail address; write it as ada@example.com')
  return { value: first, warnings: given.length > 1 ? [`has several addresses; only ${first} is imported`] : [] }
}

const country: Reader = text => {
  const code = countryNamed(text)
  return code === null ? left('is not a country; write its name, or its code such as DE') : is(code)
}

// Stages of other systems, without spaces and signs.
const stageWords: Readonly<Record<(typeof lifecycleStages)[number], string>> = {
  subscriber: 'newsletter',
  lead: 'prospect prospective new open cold warm hot contacted attempted attemptedtocontact working inprogress nurturing interested inquiry',
  qualified: 'mql sql marketingqualified salesqualified marketingqualifiedlead salesqualifiedlead qualifiedlead salesready',
  opportunity: 'opendeal deal proposal negotiation pipeline',
  customer: 'client won closedwon active activecustomer buyer kunde existingcustomer payingcustomer',
  evangelist: 'advocate promoter ambassador',
  other: 'unqualified disqualified lost closedlost churned formercustomer partner vendor supplier competitor inactive baddata',
}
const stageByWord = new Map<string, string>([
  ...Object.entries(stageWords).flatMap(([stage, words]) => words.split(' ').map(word => [word, stage] as const)),
  ...lifecycleStages.map(stage => [stage, stage] as const),
])
const lifecycleStage: Reader = text => {
  const stage = stageByWord.get(plainOf(text))
  return stage === undefined ? left(`is not a stage; write ${lifecycleStages.join(', ')}`) : is(stage)
}

const ownerUserId: Reader = (text, { members }) => {
  const address = /<([^<>]+)>/.exec(text)?.[1] ?? text
  const found = members.get(text.toLowerCase()) ?? members.get(address.toLowerCase())
  if (found) return is(found)
  return left(
    members.has(text.toLowerCase())
      ? 'is the name of several members; write the e-mail address of one'
      : 'is no member of the organization; write a member’s e-mail address or name, or invite the person first',
  )
}

const yes = new Set('true yes y x 1 on ja j wahr oui vrai o si s verdadero sim vero tak да checked ✓ ✔ ☑'.split(' '))
const no = new Set('false no n 0 off nein falsch non faux f falso nao nie нет unchecked ✗ ✘ ☐'.split(' '))
const yesOrNo: Reader = text => {
  const word = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return yes.has(word) ? is(true) : no.has(word) ? is(false) : left('is neither yes nor no; write yes or no')
}

const webAddress: Reader = text =>
  is(/^[a-z][a-z0-9+.-]*:\/?\/?/i.test(text) && !/^[\w.-]+:\d/.test(text) ? text : `https://${text.replace(/^\/+/, '')}`)

const domain: Reader = text => is(text.replace(/^(?:mailto:)?[^\s@]+@/i, '').split(/[\s,;]/)[0] ?? '')

const source: Reader = text => {
  const plain = plainOf(text)
  const found = contactSources.find(one => one === plain)
  return found === undefined ? left(`is not a source; write ${contactSources.join(', ')}`) : is(found)
}

const noDay = 'is not a date that can be read in one way only; write it as 2026-05-31'
const serialDay = 'is a date as a spreadsheet counts days; format its column as 2026-05-31, and save the file again'
const moment: Reader = (text, around) => {
  if (/^\d{5}(\.\d+)?$/.test(text)) return left(serialDay)
  const iso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?[+-]\d\d:?\d\d$/.test(text) ? new Date(text) : null
  if (iso && !Number.isNaN(iso.getTime())) return is(iso)
  const read = readMoment(text, around.country)
  return read ? is(new Date(`${read.day}T${read.time}Z`)) : left(noDay)
}
const day: Reader = (text, around) => {
  if (/^\d{5}(\.\d+)?$/.test(text)) return left(serialDay)
  const read = readMoment(text.replace(/(\d)T?[\d:.]{0,20}[+-]\d\d:?\d\d$/, '$1'), around.country)
  return read ? is(read.day) : left(noDay)
}

const maxTags = 50
const maxTag = 64
const tags: Reader = text => {
  const given = [...new Set(listOf(text).map(tag => tag.replace(/^\* /, '')))].filter(tag => tag !== 'myContacts')
  const short = given.map(tag => cutText(tag, maxTag).trim())
  const warnings = [
    ...(short.some((tag, index) => tag !== given[index]) ? [`has a tag of more than ${maxTag} characters, which is shortened`] : []),
    ...(given.length > maxTags ? [`has ${given.length} tags; only the first ${maxTags} are imported`] : []),
  ]
  return { value: [...new Set(short)].slice(0, maxTags), warnings }
}

// 1,234 is a thousand and more in one country, and one and some in another.
const number: Reader = text => {
  const bare = text
    .replace(/[\s'’_]|[%\p{Sc}]|^[A-Z]{3}|[A-Z]{3}$/gu, '')
    .replace(/^\((.*)\)$/, '-$1')
    .replace('−', '-')
  const plain =
    /^[+-]?\d{1,3}(,\d{3})+\.\d+$/.test(bare) || /^[+-]?\d{1,3}(,\d{3}){2,}$/.test(bare)
      ? bare.replaceAll(',', '')
      : /^[+-]?\d{1,3}(\.\d{3})+,\d+$/.test(bare) || /^[+-]?\d{1,3}(\.\d{3}){2,}$/.test(bare)
        ? bare.replaceAll('.', '').replace(',', '.')
        : /^[+-]?\d+,(?!\d{3}$)\d+$/.test(bare)
          ? bare.replace(',', '.')
          : bare
  return /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(plain)
    ? is(Number(plain))
    : left('is not a number that can be read in one way only; write it as 1234.5')
}

const asIs: Reader = text => is(text)
/** Readers of fields that have more than text. A placeholder such as n/a has no value there; as a name it may be one. */
const readers: Partial<Record<keyof ContactFields, Reader>> = {
  email,
  phone: (text, { country }) => phoneIn(text, country),
  companyDomain: domain,
  linkedinUrl: webAddress,
  avatarUrl: webAddress,
  country,
  timezone: asIs,
  lifecycleStage,
  source,
  ownerUserId,
  tags,
  doNotCall: yesOrNo,
  lastContactedAt: moment,
}
const customReaders: Partial<Record<CustomField['type'], Reader>> = { number, boolean: yesOrNo, date: day, url: webAddress }

/**
 * In characters: twice fifty tags of full length. Readers of longer cells would take seconds, in which nobody else is answered, and no field
 * but one of text holds more.
 */
const maxCell = 10_000
const tooLong = `is longer than ${maxCell.toLocaleString('en')} characters`

// Namibia's code is also short for "not available".
const isNothing = (field: string, text: string) => isPlaceholder(text) && !(field === 'country' && /^na$/i.test(text))

/** Reads the text of a cell for a field. The value is valid for it. */
export function readCell(field: Exclude<keyof ContactFields, 'custom'>, text: string, around: Surroundings): Cell {
  const reader = readers[field]
  if (reader && text.length > maxCell) return left(tooLong)
  if (reader && isNothing(field, text)) return left('has no value')
  const cell = (reader ?? asIs)(text, around)
  // `as`: each reader returns the type of its field.
  return checked(cell, value => readField(field, value as never), reader === undefined && field !== 'externalId')
}

/** The same for a custom field. */
export function readCustomCell(field: CustomField, text: string, around: Surroundings): Cell {
  const { key, type } = field
  if (type !== 'text' && text.length > maxCell) return left(tooLong)
  const read = (value: unknown) => {
    const one = readCustom([field], { [key]: value })
    return one instanceof Invalid ? new Invalid(one.problems.map(problem => ({ ...problem, path: problem.path.slice(1) }))) : one[key]
  }
  if (type === 'multi_select') {
    const given = listOf(text)
    const known = given.flatMap(item => optionNamed(field, item) ?? [])
    const unknown = given.filter(item => optionNamed(field, item) === undefined)
    const warnings =
      unknown.length > 0 ? [`has options that the field does not have, which are left out: ${shortened(unknown.join(', '), 300)}`] : []
    return known.length > 0 ? checked({ value: [...new Set(known)], warnings }, read, false) : { warnings }
  }
  if (type === 'select') return checked(is(optionNamed(field, text) ?? text), read, false)
  const reader = customReaders[type]
  if (reader && isPlaceholder(text)) return left('has no value')
  return checked((reader ?? asIs)(text, around), read, type === 'text')
}

/** The option with this text, or the first with its letters and digits. */
function optionNamed(field: CustomField, text: string): string | undefined {
  if (field.options.includes(text)) return text
  const plain = plainOf(text)
  return plain === '' ? undefined : optionByPlainText(field).get(plain)
}
const optionByPlainText = perObject(({ options }: CustomField) => new Map(options.toReversed().map(option => [plainOf(option), option])))

/** A value that the field cannot hold is shortened if it is a text of any kind, and left out otherwise. */
function checked(cell: Cell, read: (value: unknown) => unknown, mayShorten: boolean): Cell {
  if (cell.value === undefined) return cell
  const value = read(cell.value)
  if (!(value instanceof Invalid)) return { ...cell, value: cell.value instanceof Date ? cell.value : value }
  const [first] = value.problems
  const max = first?.type === 'string_too_long' ? first.context?.max_length : undefined
  if (mayShorten && typeof cell.value === 'string' && typeof max === 'number') {
    const short = cutText(cell.value, max).trim()
    return { value: short, warnings: [...cell.warnings, `is longer than ${max} characters, and shortened`] }
  }
  return { warnings: [...cell.warnings, `is left out: ${value.problems.slice(0, 3).map(sentence).join('; ')}`] }
}

const sentence = ({ message }: Problem) => shortened(message.replace(/^Value error, /, ''), 300)
