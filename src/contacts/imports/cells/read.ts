// Reads cells as values of the fields of contacts, as other systems and people write them. Pure.

import { readField } from '../../../kernel/fields/table.ts'
import { cutText, shorten } from '../../../kernel/input/cut.ts'
import { Invalid, type Problem } from '../../../kernel/input/problem.ts'
import { storableText } from '../../../kernel/input/storable.ts'
import { perObject } from '../../../kernel/per-object.ts'
import { contactFieldTable, lifecycleStages } from '../../contact/row.ts'
import type { CustomField } from '../../custom-fields/field.sql.ts'
import { readCustom } from '../../custom-fields/value.ts'
import { withoutApostrophe } from '../../exports/csv.ts'
import { joinList, listOf } from '../../exports/lists.ts'
import { contactSources } from '../../records/source.ts'
import { fieldsOf, type ImportNoun } from '../nouns/fields.ts'
import { domainIn, emailIn, linkedInIn, webAddressIn } from './addresses.ts'
import { type Cell, is, isError, isPlaceholder, leaveOut } from './cell.ts'
import { plainWord } from './characters.ts'
import { countryNamed } from './countries.ts'
import { readMoment, serialMoment } from './dates.ts'
import { amountIn, countIn, doNotCallIn, numberIn, yesOrNoIn } from './numbers.ts'
import { phoneIn } from './phones.ts'
import { outcomeIn, type PipelineAround, pipelineIn, stageIn } from './records/deals.ts'
import { textOfMarkup } from './records/markup.ts'
import { recordIdIn, recordIdsIn } from './records/record-ids.ts'
import { stageNamed } from './stages.ts'

/** The organization's facts while its cells are read. */
export interface Surroundings {
  /** ISO 3166-1 alpha-2; null when it is not known. */
  country: string | null
  /** The id of the member with this id, address or name, in lower case; null for a name of several. */
  members: ReadonlyMap<string, string | null>
  /** Of a file of deals: the pipelines, and the reasons for lost deals. */
  pipelines?: readonly PipelineAround[]
  lostReasons?: readonly string[]
  /** The pipeline of the row. */
  pipelineId?: string
}

/**
 * Trimmed, without characters that cannot be seen or stored, and without what keeps a text from being evaluated: the apostrophe of an export,
 * and the formula `="00123"` of other programs.
 */
export const textOf = (cell: string): string => {
  const text = storableText((quotedWithSpace.exec(cell)?.[1] ?? cell).replace(invisible, '')).trim()
  const inside = /^="((?:[^"]|"")*)"$/.exec(text)?.[1]
  return inside === undefined ? withoutApostrophe(withBackslashes(text)) : inside.replaceAll('""', '"').trim()
}
// `"Acme \"Best\""` is how databases write quotes, and none for the parser.
const withBackslashes = (text: string) =>
  text.startsWith('"') && text.endsWith('"') && text.includes('\\"') ? text.slice(1, -1).replaceAll('\\"', '"') : text
// `"b, c" ,a`: the parser takes the space for a part of the cell, and so the quotes.
const quotedWithSpace = /^"([^"]*)" +$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are left out.
const invisible = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\u2060\ufeff\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

type Reader = (text: string, around: Surroundings) => Cell

const country: Reader = text => {
  const code = countryNamed(text)
  return code === null ? leaveOut('is not a country; write its name, or its code such as DE') : is(code)
}

const lifecycleStage: Reader = text => {
  const stage = stageNamed(text)
  return stage === undefined ? leaveOut(`is not a stage; write ${lifecycleStages.values.join(', ')}`) : is(stage)
}

const ownerUserId: Reader = (text, { members }) => {
  const name = text.toLowerCase().replace(/\s+/g, ' ')
  const [address = '', reversed = ''] = [
    /[(<[]([^()<>[\]]+)[)>\]]/.exec(name)?.[1],
    /^([^,]+), ([^,]+)$/.exec(name)?.slice(1).reverse().join(' '),
  ]
  const found = [name, address.trim(), reversed, name.replace(/^mailto:|^@/, '')].flatMap(one => members.get(one) ?? [])[0]
  if (found) return is(found)
  return leaveOut(
    members.has(name)
      ? 'is the name of several members; write the email address of one'
      : 'is no member of the organization; write a member’s email address or name, or invite the person first',
  )
}

const source: Reader = text => {
  const plain = plainWord(text)
  const found = contactSources.values.find(one => one === plain)
  return found === undefined ? leaveOut(`is not a source; write ${contactSources.values.join(', ')}`) : is(found)
}

const noDay = 'is not a date that can be read in one way only; write it as 2026-05-31'
const moment: Reader = (text, { country }) => {
  const read = serialMoment(text) ?? readMoment(text, country)
  return read ? is(new Date(`${read.day}T${read.time}${read.offset}`)) : leaveOut(noDay)
}
const day: Reader = (text, { country }) => {
  const read = serialMoment(text) ?? readMoment(text, country)
  return read ? is(read.day) : leaveOut(noDay)
}

const maxTags = 50
const maxTag = 64
const tags: Reader = text => {
  // Google's own groups have a star, and it puts all contacts into the first.
  const given = [...new Set(listOf(text).map(tag => tag.replace(/^\* (?=(?:starred|friends|family|coworkers)$)/, '')))].filter(
    tag => tag !== '* myContacts',
  )
  const short = given.map(tag => cutText(tag, maxTag).trim())
  const warnings = [
    ...(short.some((tag, index) => tag !== given[index]) ? [`has a tag of more than ${maxTag} characters, which is shortened`] : []),
    ...(given.length > maxTags ? [`has ${given.length} tags; only the first ${maxTags} are imported`] : []),
  ]
  return { ...(given.length > 0 && { value: [...new Set(short)].slice(0, maxTags) }), warnings }
}

const asIs: Reader = text => is(text)
/** Readers of fields that have more than text. A placeholder such as n/a has no value there; as a name it may be one. */
const readers: Readonly<Record<string, Reader>> = {
  email: emailIn,
  phone: (text, { country }) => phoneIn(text, country),
  companyDomain: domainIn,
  linkedinUrl: linkedInIn,
  avatarUrl: webAddressIn,
  country,
  timezone: text => {
    // `Europe/Berlin (CET)`, and HubSpot's `europe_slash_berlin`.
    const zone = text
      .replace(/ \([^()]*\)$/, '')
      .replaceAll('_slash_', '/')
      .replace(/ /g, '_')
    return typeof readField(contactFieldTable.timezone, zone) === 'string'
      ? is(zone)
      : leaveOut('is not a time zone; write it as Europe/Berlin')
  },
  lifecycleStage,
  source,
  ownerUserId,
  tags,
  doNotCall: doNotCallIn,
  lastContactedAt: moment,
  // Of companies.
  domain: domainIn,
  website: webAddressIn,
  employeeCount: countIn,
  annualRevenue: amountIn,
  annualRevenueCurrency: text => is(text.toUpperCase()),
  // Of deals.
  amount: amountIn,
  currency: text => is(text.toUpperCase()),
  expectedClose: moment,
  pipelineId: pipelineIn,
  stageId: stageIn,
  dealStatus: outcomeIn,
  lostReason: (text, { lostReasons = [] }) => {
    const known = lostReasons.find(reason => reason.toLowerCase() === text.toLowerCase())
    return lostReasons.length === 0 || known !== undefined
      ? is(known ?? text)
      : leaveOut('is no reason of the organization; choose one, or add it under Settings')
  },
  // Of notes and tasks.
  text: text => is(textOfMarkup(text)),
  description: text => is(textOfMarkup(text)),
  dueAt: moment,
  assigneeUserId: ownerUserId,
  // Other systems have more states, and all of them are open until the task is done.
  status: text => is(/^(?:done|completed?|closed|erledigt|termine|1|true|yes|ja)$/.test(plainWord(text)) ? 'done' : 'open'),
  // Ids in the system of the file.
  recordId: recordIdIn,
  companyRecordId: recordIdIn,
  contactRecordIds: recordIdsIn,
  dealRecordId: recordIdIn,
  relatedRecordId: recordIdIn,
}
// Texts of any length.
const isLong = (field: string) => field === 'text' || field === 'description'
const customReaders: Partial<Record<CustomField['type'], Reader>> = {
  number: numberIn,
  boolean: yesOrNoIn,
  date: day,
  url: webAddressIn,
}

/**
 * In characters: twice fifty tags of full length. Readers of longer cells would take seconds, in which nobody else is answered, and no field
 * but one of text holds more.
 */
const maxCell = 10_000
const tooLong = `is longer than ${maxCell.toLocaleString('en')} characters`

// Namibia's code is also short for "not available".
const isNothing = (field: string, text: string) => isPlaceholder(text) && !(field === 'country' && /^na$/i.test(text))

/** Reads the text of a cell for a field. The value is valid for it. */
export function readCell(field: string, text: string, around: Surroundings, noun: ImportNoun = 'contact'): Cell {
  const reader = readers[field]
  const isText = reader === undefined || isLong(field)
  if (!isText && text.length > maxCell) return leaveOut(tooLong)
  if (isError(text) || (!isText && isNothing(field, text))) return leaveOut('has no value')
  const cell = (reader ?? asIs)(text, around)
  const declared = fieldsOf[noun].table[field]
  return declared ? checkCell(cell, value => readField(declared, value), isText && field !== 'externalId') : cell
}

/** The same for a custom field. */
export function readCustomCell(field: CustomField, given: string | readonly string[], around: Surroundings): Cell {
  const text = typeof given === 'string' ? given : joinList(given)
  const { key, type } = field
  if (type !== 'text' && text.length > maxCell) return leaveOut(tooLong)
  const read = (value: unknown) => {
    const one = readCustom([field], { [key]: value })
    return one instanceof Invalid ? new Invalid(one.problems.map(problem => ({ ...problem, path: problem.path.slice(1) }))) : one[key]
  }
  if (isError(text) || (isPlaceholder(text) && type !== 'text' && optionNamed(field, text) === undefined)) return leaveOut('has no value')
  if (type === 'multi_select') {
    const given = optionNamed(field, text) === undefined ? listOf(text) : [text]
    const known = given.flatMap(item => optionNamed(field, item) ?? [])
    const unknown = given.filter(item => optionNamed(field, item) === undefined)
    const warnings =
      unknown.length > 0 ? [`has options that the field does not have, which are left out: ${shorten(unknown.join(', '), 300)}`] : []
    return known.length > 0 ? checkCell({ value: [...new Set(known)], warnings }, read, false) : { warnings }
  }
  if (type === 'select') return checkCell(is(optionNamed(field, text) ?? text), read, false)
  return checkCell((customReaders[type] ?? asIs)(text, around), read, type === 'text')
}

/** Whether the text names an option of the field. */
export const isOption = (field: CustomField, text: string): boolean => optionNamed(field, text) !== undefined

/** The option with this text, or the first with its letters and digits. */
function optionNamed(field: CustomField, text: string): string | undefined {
  if (field.options.includes(text)) return text
  // C++ and C# are two options.
  const sameCase = field.options.find(option => option.toLowerCase() === text.toLowerCase())
  const plain = plainWord(text)
  return sameCase ?? (plain === '' ? undefined : optionByPlainText(field).get(plain))
}
const optionByPlainText = perObject(({ options }: CustomField) => new Map(options.toReversed().map(option => [plainWord(option), option])))

/** A value that the field cannot hold is shortened if it is a text of any kind, and left out otherwise. */
function checkCell(cell: Cell, read: (value: unknown) => unknown, mayShorten: boolean): Cell {
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

const sentence = ({ message }: Problem) => shorten(message.replace(/^Value error, /, ''), 300)
