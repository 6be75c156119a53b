// Turns the rows of a file into contact inputs, by a mapping from columns to fields.

import { invalid, type Read } from '../../kernel/input/fields.ts'
import { Invalid, oneOf, type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { contactSources, isContactField, lifecycleStages } from '../contact/row.ts'
import type { CustomField } from '../custom-fields/field.sql.ts'
import { withoutApostrophe } from '../exports/csv.ts'
import type { ContactInput } from '../write/input.ts'
import { type ImportColumn, maxColumns } from './columns.ts'
import { customPrefix } from './headers.ts'

export interface MappedColumn {
  /** The column's index in the file, from 0. */
  column: number
  /** `email` or `custom.plan`, for example. */
  field: string
}
export type Mapping = readonly MappedColumn[]

/** The mapping suggested by the headers. */
export const suggestedMapping = (columns: readonly ImportColumn[]): Mapping =>
  columns.flatMap(({ field }, column) => (field === null ? [] : [{ column, field }]))

export function mappingProblems(mapping: Mapping, columns: readonly ImportColumn[], customFields: readonly CustomField[]): Problem[] {
  if (mapping.length === 0)
    return [valueError('mapping', 'no column is mapped to a field; name at least one, such as { column: 0, field: "email" }', [])]
  if (mapping.length > maxColumns) return [problem('mapping', 'too_long', null, { max_length: maxColumns, actual_length: mapping.length })]
  const keys = new Set(customFields.map(({ key }) => customPrefix + key))
  const taken = new Set<string>()
  return mapping.flatMap(({ column, field }, index) => {
    const problems: Problem[] = []
    if (!columns[column])
      problems.push(valueError(['mapping', index, 'column'], `the file has the columns 0 to ${columns.length - 1}`, column))
    if (field === '') problems.push(valueError(['mapping', index], 'name either a field or a custom field', { column }))
    else if (!keys.has(field) && !isContactField(field))
      problems.push(
        valueError(
          ['mapping', index, 'customField'],
          'the organization has no custom field with this key',
          field.slice(customPrefix.length),
        ),
      )
    else if (taken.has(field))
      problems.push(valueError(['mapping', index, 'field'], 'another column is mapped to the field already', field))
    taken.add(field)
    return problems
  })
}

export interface ReadRow {
  input: ContactInput
  /** The problems of cells whose text is not of the field's type. Their paths are those of `input`. */
  problems: Problem[]
  /** Whether no mapped column of the row has a value. */
  isEmpty: boolean
}

/** Reads rows by the mapping. An empty cell leaves its field unchanged. */
export function rowReader(
  mapping: Mapping,
  columnCount: number,
  customFields: readonly CustomField[],
): (cells: readonly string[]) => ReadRow {
  const custom = new Map(customFields.map(field => [customPrefix + field.key, field]))
  return cells => {
    const input: Record<string, unknown> = {}
    const properties: Record<string, unknown> = {}
    const problems: Problem[] = []
    let isEmpty = true
    for (const { column, field } of mapping) {
      const text = withoutApostrophe((cells[column] ?? '').trim())
      if (text === '') continue
      isEmpty = false
      const definition = custom.get(field)
      const value = (definition ? customReaders[definition.type] : fieldReaders[field])?.(text) ?? text
      const path = definition ? ['custom', definition.key] : [field]
      if (value instanceof Invalid) problems.push(...value.problems.map(one => ({ ...one, path: [...path, ...one.path] })))
      else if (definition) properties[definition.key] = value
      else input[field] = value
    }
    // More cells than headers, for example after an unquoted comma: the cells after it would be read as values of other columns.
    if (cells.slice(columnCount).some(cell => cell.trim() !== ''))
      problems.push(valueError([], `the row has ${cells.length} cells, and the file ${columnCount} columns`))
    if (Object.keys(properties).length > 0) input.custom = properties
    // `as`: each reader returns the type of its field.
    return { input: input as ContactInput, problems, isEmpty }
  }
}

type ReadText = Read<string, unknown>

const choice =
  (values: readonly string[]): ReadText =>
  text => {
    const value = text.toLowerCase().replace(/[\s-]+/g, '_')
    return values.includes(value) ? value : invalid(text, 'enum', { expected: oneOf(values.map(one => `'${one}'`)) })
  }
const words: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  y: true,
  x: true,
  1: true,
  false: false,
  no: false,
  n: false,
  0: false,
}
const yesOrNo: ReadText = text => words[text.toLowerCase()] ?? invalid(text, 'bool_type')
// Separated by semicolons if there are any, because an option may contain a comma.
const list: ReadText = text =>
  text
    .split(text.includes(';') ? ';' : ',')
    .map(item => item.trim())
    .filter(Boolean)
const number: ReadText = text => (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : invalid(text, 'float_type'))
// JavaScript reads February 31 as March 3.
const isDay = (text: string) => new Date(Date.parse(text)).getUTCDate() === Number(text.slice(8))
const moment: ReadText = text =>
  /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  isDay(text.slice(0, 10))
    ? new Date(/[Z]|[+-]\d\d:?\d\d$/.test(text.slice(10)) ? text : `${text.slice(0, 10)}T${text.slice(11) || '00:00'}Z`)
    : invalid(text, 'datetime_parsing', { error: 'ISO 8601 is expected, such as 2026-05-31 or 2026-05-31T12:00:00Z' })

const fieldReaders: Readonly<Record<string, ReadText>> = {
  lifecycleStage: choice(lifecycleStages),
  source: choice(contactSources),
  tags: list,
  doNotCall: yesOrNo,
  lastContactedAt: moment,
}
const customReaders: Partial<Record<CustomField['type'], ReadText>> = { number, boolean: yesOrNo, multi_select: list }

/** A row's problems as one text, with the file's headers in place of field names. */
export function sentenceOf(problems: readonly Problem[], mapping: Mapping, columns: readonly ImportColumn[]): string {
  const sentences = problems.slice(0, 10).map(({ path, message }) => {
    const [first, second] = path
    const field = first === 'custom' ? `${customPrefix}${second}` : String(first)
    const column = mapping.find(one => one.field === field)?.column
    const sentence = message.replace(/^Value error, /, '')
    return first === undefined ? sentence : `${column === undefined ? field : (columns[column]?.name ?? field)}: ${sentence}`
  })
  return sentences.join('; ').slice(0, 2000)
}
