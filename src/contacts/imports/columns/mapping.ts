// Turns the rows of a file into contact inputs, by a mapping from columns to fields.

import { shorten } from '../../../kernel/input/cut.ts'
import { type Problem, problem, valueError } from '../../../kernel/input/problem.ts'
import { maxAddresses } from '../../contact/addresses/address.ts'
import type { ContactPatch } from '../../contact/input.ts'
import type { CustomField } from '../../custom-fields/field.sql.ts'
import { listOf } from '../../exports/lists.ts'
import { type Choices, choosable, withChoices } from '../cells/choices.ts'
import { splitName } from '../cells/names.ts'
import { readCell, readCustomCell, type Surroundings, textOf } from '../cells/read.ts'
import { fieldsOf, type ImportNoun, isFieldOf } from '../nouns/fields.ts'
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
export const suggestedMapping = (columns: readonly ImportColumn[], noun: ImportNoun): Mapping =>
  columns.flatMap(({ field, further }, column) => {
    const meant = field ?? (further && isSeveral(further, noun) ? further : null)
    return meant === null ? [] : [{ column, field: meant }]
  })

// The first column with a value has the primary one.
const addingTo = { email: 'addEmails', phone: 'addPhones' } as const
/** Whether several columns may become the field. */
const isSeveral = (field: string, noun: ImportNoun): field is keyof typeof addingTo => noun === 'contact' && Object.hasOwn(addingTo, field)

const noColumn = 'no column is mapped to a field; name at least one, such as { column: 0, field: "email" }'
const oneColumn = `${noColumn}. The file has one column: if it has more, choose what stands between them, or save it with commas`

export function mappingProblems(
  mapping: Mapping,
  columns: readonly ImportColumn[],
  customFields: readonly CustomField[],
  noun: ImportNoun,
): Problem[] {
  if (mapping.length === 0) return [valueError('mapping', columns.length === 1 ? oneColumn : noColumn, [])]
  if (mapping.length > maxColumns) return [problem('mapping', 'too_long', null, { max_length: maxColumns, actual_length: mapping.length })]
  const keys = new Set(customFields.map(({ key }) => customPrefix + key))
  const taken = new Set<string>()
  return mapping.flatMap(({ column, field }, index) => {
    const problems: Problem[] = []
    if (!columns[column])
      problems.push(valueError(['mapping', index, 'column'], `the file has the columns 0 to ${columns.length - 1}`, column))
    if (field === '') problems.push(valueError(['mapping', index], 'name either a field or a custom field', { column }))
    else if (!keys.has(field) && !field.startsWith(customPrefix) && !isFieldOf(noun, field))
      problems.push(valueError(['mapping', index, 'field'], `a ${fieldsOf[noun].word} does not have this field`, field))
    else if (!keys.has(field) && field.startsWith(customPrefix))
      problems.push(
        valueError(
          ['mapping', index, 'customField'],
          'the organization has no custom field with this key',
          field.slice(customPrefix.length),
        ),
      )
    else if (taken.has(field) && !isSeveral(field, noun))
      problems.push(valueError(['mapping', index, 'field'], 'another column is mapped to the field already', field))
    taken.add(field)
    return problems
  })
}

/** A cell that was left out, shortened, or cannot be used as it is. Its row is imported. */
export interface CellWarning {
  /** The column's index in the file, from 0. */
  column: number
  /** The text of the cell, at most 200 characters. */
  value: string
  /** The text in quotes, and the reason. */
  message: string
  /** The reason alone, which is the same for other cells. */
  reason: string
}

export interface ReadRow {
  input: ContactPatch
  warnings: CellWarning[]
  /** The column with the id of the company. */
  companyColumn?: number
  /** Why the row cannot be imported. */
  problems: Problem[]
  /** Whether no mapped column of the row has a value. */
  isEmpty: boolean
}

/** Reads rows by the mapping. An empty cell leaves its field unchanged. */
export function rowReader(
  mapping: Mapping,
  columns: readonly ImportColumn[],
  customFields: readonly CustomField[],
  around: Surroundings,
  choices: Choices = new Map(),
  noun: ImportNoun = 'contact',
): (cells: readonly string[]) => ReadRow {
  const custom = new Map(customFields.map(field => [customPrefix + field.key, field]))
  // The country first, because it decides about the telephone number, and the pipeline, because it decides about the stage.
  const isFirst = ({ field }: MappedColumn) => Number(field === 'country' || field === 'pipelineId')
  const ordered = mapping.toSorted((one, other) => isFirst(other) - isFirst(one))
  const companyColumn = mapping.find(({ field }) => field === 'companyId')?.column
  const isNameSplit = noun === 'contact' && !mapping.some(({ field }) => field === 'firstName' || field === 'lastName')
  return cells => {
    const input: Record<string, unknown> = {}
    const properties: Record<string, unknown> = {}
    const warnings: CellWarning[] = unclosedQuotes(cells)
    let isEmpty = true
    for (const { column, field } of ordered) {
      const text = textOf(cells[column] ?? '')
      if (text === '') continue
      isEmpty = false
      const fault = faultOf(text)
      if (fault !== null) warnings.push(warningOf(column, text, fault))
      const definition = custom.get(field)
      const ofColumn = choices.get(column)
      const listed = ofColumn ? choosable(field, definition) : null
      const given = ofColumn && listed !== null ? withChoices(text, listed, ofColumn) : text
      if (given === null || given.length === 0) continue
      const { country, pipelineId } = input
      // A file has one order of day and month, whatever the country of a row.
      const here =
        field === 'phone' && typeof country === 'string'
          ? { ...around, country }
          : field === 'stageId' && typeof pipelineId === 'string'
            ? { ...around, pipelineId }
            : around
      if (isSeveral(field, noun) && input[field] !== undefined) {
        const reasons = readFurther(field, text, here, input)
        if (reasons.length > 0) warnings.push(warningOf(column, text, reasons.join(', and ')))
        continue
      }
      const read = definition
        ? readCustomCell(definition, given, here)
        : readCell(field, typeof given === 'string' ? given : text, here, noun)
      if (read.warnings.length > 0) warnings.push(warningOf(column, text, read.warnings.join(', and ')))
      if (read.value === undefined) continue
      if (definition) properties[definition.key] = read.value
      else input[field] = read.value
    }
    if (Object.keys(properties).length > 0) input.custom = properties
    const problems = problemsOf(cells, columns, isEmpty ? null : input, warnings)
    if (isNameSplit && typeof input.fullName === 'string') Object.assign(input, splitName(input.fullName))
    // `as`: each reader returns the type of its field.
    const row: ReadRow = {
      ...{ input: input as ContactPatch, warnings, problems, isEmpty },
    }
    return companyColumn === undefined ? row : { ...row, companyColumn }
  }
}

/** Reads the addresses or numbers of a further column. An export has several in a cell. Returns the reasons for warnings. */
function readFurther(field: 'email' | 'phone', text: string, around: Surroundings, input: Record<string, unknown>): string[] {
  const cells = listOf(text)
    .slice(0, maxAddresses)
    .map(part => readCell(field, part, around))
  const values = cells.flatMap(({ value }) => (typeof value === 'string' ? [{ value }] : []))
  // `as`: this function alone writes the list.
  const before = (input[addingTo[field]] ?? []) as { value: string }[]
  input[addingTo[field]] = [...before, ...values].slice(0, maxAddresses - 1)
  return [...new Set(cells.flatMap(({ warnings }) => warnings))]
}

export const warningOf = (column: number, text: string, reason: string): CellWarning => ({
  column,
  value: shorten(text, 200),
  message: `"${shorten(text, 40)}" ${reason}`,
  reason,
})

function problemsOf(
  cells: readonly string[],
  columns: readonly ImportColumn[],
  input: Record<string, unknown> | null,
  warnings: readonly CellWarning[],
): Problem[] {
  // More cells than headers, for example after an unquoted comma: the cells after it would be read as values of other columns.
  if (cells.slice(columns.length).some(cell => cell.trim() !== ''))
    return [
      valueError([], `the row has ${cells.length} cells, and the file ${columns.length} columns; write a text with a separator in quotes`),
    ]
  // The headers of a group on a board, or of a second file behind the first.
  if (input !== null && repeatsHeaders(cells, columns)) return [valueError([], 'the row repeats the headers')]
  // Programs write notes below a table, such as who made it: its first column is often the id, or the name.
  const [[only, value] = [], ...others] = Object.entries(input ?? {})
  if ((only === 'externalId' || only === 'recordId') && others.length === 0 && /\s/.test(String(value)))
    return [valueError([], 'the row has nothing but a sentence where the others have an id')]
  if (/^(?:full|first|last)Name$/.test(only ?? '') && others.length === 0 && columns.length > 1 && noteBelow.test(String(value)))
    return [valueError([], 'the row is a note below the table: it has a name alone, which is none')]
  if (input === null || Object.keys(input).length > 0) return []
  return [
    valueError([], `no cell can be imported. ${warnings.map(({ column, message }) => `${columns[column]?.name}: ${message}`).join('. ')}`),
  ]
}

const noteBelow =
  /^(?:(?:grand |sub)?totals?(?::|$| \(| \d)|(?:summe|gesamt)(?::|$)|copyright\b|confidential information|(?:generated|exported|created|filtered) (?:by|on|from)\b)/i

// `MÃ¼ller`: each byte of an accented letter was read as a letter.
function faultOf(text: string): string | null {
  if (text.includes('\ufffd')) return 'has a character that could not be read; check the encoding'
  const isMisread = /[ÃÂÅ][\u0080-\u00bf]|â€/.test(text)
  return isMisread ? 'has letters that another program has read in a wrong encoding; save the file there as UTF-8' : null
}

function repeatsHeaders(cells: readonly string[], columns: readonly ImportColumn[]): boolean {
  const isHeader = (cell: string, index: number) => [columns[index]?.name, columns[index]?.name.replace(/ \d+$/, '')].includes(cell.trim())
  return cells.filter(cell => cell.trim() !== '').length > 1 && cells.every((cell, index) => cell.trim() === '' || isHeader(cell, index))
}

// A cell that begins with a quote, which its first line does not close, and with a separator in it: it may be several rows.
const unclosed = /^"[^"\n]*(?:"[^"\n]*"[^"\n]*)*\n/

const unclosedQuotes = (cells: readonly string[]): CellWarning[] =>
  cells.flatMap((cell, column) => {
    if (!cell.startsWith('"') || !unclosed.test(cell) || !/[,;|\t]/.test(cell)) return []
    const reason = 'begins with a quote that is not closed, so it may have rows in it that are missing; write "" for a quote in a text'
    return [warningOf(column, cell, reason)]
  })

/** A row's problems as one text, with the file's headers in place of field names. */
export function sentenceOf(problems: readonly Problem[], mapping: Mapping, columns: readonly ImportColumn[]): string {
  const sentences = problems.slice(0, 10).map(({ path, message }) => {
    const [first, second] = path
    const field = first === 'custom' ? `${customPrefix}${second}` : String(first)
    const column = mapping.find(one => one.field === field)?.column
    const sentence = message.replace(/^Value error, /, '')
    return first === undefined ? sentence : `${column === undefined ? field : (columns[column]?.name ?? field)}: ${sentence}`
  })
  return shorten(sentences.join('; '), 2000)
}
