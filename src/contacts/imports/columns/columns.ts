// The columns of a file: the row of their headers, their names, samples, and the fields that they probably contain.

import { cutText } from '../../../kernel/input/cut.ts'
import { storableText } from '../../../kernel/input/storable.ts'
import type { CustomField, CustomFieldType } from '../../custom-fields/field.sql.ts'
import { typeOf } from '../cells/field-type.ts'
import { isSeparatorLine } from '../format.ts'
import type { ImportNoun } from '../nouns/fields.ts'
import { type Recognised, recognise } from '../profiles/profile.ts'
import { countKnownHeaders, furtherFields, suggestFields } from './headers.ts'

export interface ImportColumn {
  /** Its header; the second of two columns `Phone` is `Phone 2`. */
  name: string
  /** Some of the column's first values. */
  samples: string[]
  /** `email` or `custom.plan`, for example; null when no field is suggested. */
  field: string | null
  /** The field that its header means, where another column of the file is suggested for it. Absent in imports from before. */
  further?: string | null
  /** The type that fits its first values, for a new custom field, with the options of a `select`. Absent in imports from before. */
  type?: CustomFieldType
  options?: string[]
}

/** A record with its number in the file, from 1. */
export interface Numbered {
  row: number
  cells: readonly string[]
}

/** At least the number of all fields and custom fields, with some more that are not imported. */
export const maxColumns = 500
const maxSamples = 3
const maxSampleLength = 100

/** Describes the columns from the file's first records. `headerRow`: the number of the record with the headers, null for none. */
export function columnsOf(
  records: readonly Numbered[],
  headerRow: number | null,
  customFields: readonly CustomField[],
  noun: ImportNoun,
  recognised: Recognised | null,
): ImportColumn[] {
  const rows = records
    .filter(({ row, cells }) => (headerRow === null ? !isSeparatorLine(cells) : row > headerRow))
    .map(({ cells }) => cells)
  const headers = headerRow === null ? (rows[0] ?? []).map(() => '') : (records.find(({ row }) => row === headerRow)?.cells ?? [])
  const values = headers.map((_header, index) => rows.map(row => cut(row[index] ?? '')).filter(value => value !== ''))
  const generic = suggestFields(headers, values, customFields, noun)
  const known = new Set(recognised?.fields ?? [])
  // The profile decides; what it does not know is read as in any file.
  const fields = recognised
    ? recognised.fields.map((field, index) => field ?? otherOf(generic[index] ?? null, known, recognised.further[index]))
    : generic
  const others = furtherFields(headers, values, fields, noun)
  const further = fields.map((field, index) => (field === null ? (recognised?.further[index] ?? others[index] ?? null) : null))
  return unique(headers.map((header, index) => cut(header) || `Column ${index + 1}`)).map((name, index) => ({
    name,
    samples: [...new Set(values[index])].slice(0, maxSamples),
    field: fields[index] ?? null,
    further: further[index] ?? null,
    ...typeOf(values[index] ?? []),
  }))
}

const otherOf = (field: string | null, known: ReadonlySet<string | null>, further: string | null | undefined) =>
  field === null || known.has(field) || further || field === 'externalId' ? null : field

/** The system and the noun of a file whose headers stand in the row; null where a profile knows none of them. */
export function recogniseIn(records: readonly Numbered[], headerRow: number | null): Recognised | null {
  const headers = records.find(({ row }) => row === headerRow)?.cells
  if (headerRow === null || !headers) return null
  const rows = records.filter(({ row }) => row > headerRow)
  return recognise(
    headers,
    headers.map((_header, index) => rows.map(({ cells }) => (cells[index] ?? '').trim()).filter(cell => cell !== '')),
  )
}

/** The row of the headers of an export that a profile knows; null for none. */
export const recognisedRow = (records: readonly Numbered[]): number | null =>
  records.slice(0, maxAbove).find(({ cells }) => recognise(cells) !== null)?.row ?? null

const cut = (text: string) => cutText(storableText(text.trim()), maxSampleLength)

/** Numbers equal names, so that each names one column: `Phone`, `Phone 2`. */
function unique(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map(name => {
    let free = name
    for (let count = 2; taken.has(free) || (free !== name && names.includes(free)); count++) free = `${name} ${count}`
    taken.add(free)
    return free
  })
}

const countFilled = (cells: readonly string[]) => cells.filter(cell => cell.trim() !== '').length

// The number of records among which the headers are sought: programs write some lines of notes above them.
const maxAbove = 30

const looksLikeValue = /@|^[+\d(][\d\s().+-]*$|^\d{4}-\d\d|^https?:/

/**
 * The number of the record with the headers; null when the file has none. Records above it are lines such as `sep=;` and notes: they have
 * less than half as many cells with text. `records` are not empty.
 */
export function headerRowOf(records: readonly Numbered[], customFields: readonly CustomField[], noun: ImportNoun): number | null {
  const candidates = records.slice(0, maxAbove).filter(({ cells }) => !isSeparatorLine(cells))
  const [first] = candidates
  if (!first) return null
  const counts = candidates.map(({ cells }) => countKnownHeaders(cells, customFields, noun))
  const most = Math.max(...counts)
  const found = candidates[counts.indexOf(most)]
  const isTable = most >= 2 || (most === 1 && found !== undefined && countFilled(found.cells) === 1)
  if (found && isTable && !found.cells.some(cell => cell.includes('@')) && isBelowNotes(found, candidates)) return found.row
  // Unknown headers: the first record that is as wide as most are, below narrow ones that are no values.
  const width = mostCommon(candidates.map(({ cells }) => cells.length))
  const wide = candidates.find(({ cells }) => countFilled(cells) * 2 > width || cells.some(isValue)) ?? first
  return isHeader(wide.cells, counts[candidates.indexOf(wide)] ?? 0) ? wide.row : null
}

const isBelowNotes = (found: Numbered, candidates: readonly Numbered[]) =>
  candidates.every(
    ({ row, cells }) => row >= found.row || (countFilled(cells) * 2 < Math.max(countFilled(found.cells), 3) && !cells.some(isValue)),
  )

const isValue = (cell: string) => looksLikeValue.test(cell.trim())

/** No text looks like an address, a number or a day; and a header is known, or all texts differ. */
function isHeader(cells: readonly string[], knownCount: number): boolean {
  const texts = cells.map(cell => cell.trim()).filter(cell => cell !== '')
  return texts.length > 0 && !texts.some(isValue) && (knownCount > 0 || new Set(texts).size === texts.length)
}

const mostCommon = (numbers: readonly number[]) => {
  const counted = Map.groupBy(numbers, number => number)
  return [...counted].reduce((one, other) => (other[1].length > one[1].length ? other : one), [0, []] as [number, number[]])[0]
}
