// The settings of an import: what a person has said about its columns, values and cells. They are checked alike for a preview, a check and the
// start.

import type { Context } from '../../kernel/context.ts'
import { countries } from '../../kernel/countries.ts'
import { invalid } from '../../kernel/errors.ts'
import { tooLong } from '../../kernel/input/fields.ts'
import { at, type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { storableText } from '../../kernel/input/storable.ts'
import type { OnConflict } from '../contact/write.ts'
import type { CustomField } from '../custom-fields/field.sql.ts'
import { customFieldsOf, maxOptionLength, maxOptions } from '../custom-fields/field.ts'
import { type CellEdit, choiceKey, choicesOf, choosable, isKnown, type ValueChoice } from './cells/choices.ts'
import type { Surroundings } from './cells/read.ts'
import { surroundingsOf } from './cells/surroundings.ts'
import { customPrefix } from './columns/headers.ts'
import { type Mapping, mappingProblems, rowReader, suggestedMapping } from './columns/mapping.ts'
import type { ContactImport } from './import.sql.ts'
import { fieldsOf } from './nouns/fields.ts'

export interface GivenSettings {
  /** Default: suggested by the headers. */
  mapping?: Mapping | null
  onConflict?: OnConflict | null
  values?: readonly ValueChoice[] | null
  edits?: readonly CellEdit[] | null
  /** ISO 3166-1 alpha-2, of phone numbers without a country. Default: the organization's. */
  country?: string | null
}

export type Settings = Pick<ContactImport, 'mapping' | 'onConflict' | 'values' | 'edits' | 'country'> & { mapping: Mapping }

export const maxChoices = 1000
export const maxEdits = 1000
const maxEditLength = 1000

/** Throws INVALID with all problems. `path`: where the settings stand. */
export async function checkSettings(
  context: Context,
  found: ContactImport,
  given: GivenSettings,
  path: readonly string[] = [],
): Promise<Settings> {
  const mapping = given.mapping?.map(({ column, field }) => ({ column, field })) ?? suggestedMapping(found.columns, found.noun)
  const customFields = await customFieldsFor(context, found)
  const around = await surroundingsOf(context, found.orgId, found.noun)
  const values = given.values ?? []
  const edits = given.edits ?? []
  const country = given.country?.trim().toUpperCase() || null
  const problems = [
    ...mappingProblems(mapping, found.columns, customFields, found.noun),
    ...(country !== null && !countries.has(country)
      ? [valueError('country', 'write a code of ISO 3166-1 alpha-2, such as DE', given.country)]
      : []),
    ...(values.length > maxChoices ? at('values', tooLong(values, maxChoices)) : choiceProblems(values, mapping, customFields, around)),
    ...(edits.length > maxEdits ? at('edits', tooLong(edits, maxEdits)) : editProblems(edits, found)),
  ]
  if (problems.length > 0) throw invalid(problems.map(problem => ({ ...problem, path: [...path, ...problem.path] })))
  return {
    mapping,
    onConflict: given.onConflict ?? null,
    country,
    values: values.map(({ column, value, to, addOption }) => ({
      column,
      value: storableText(value),
      to: to === null ? null : storableText(to),
      ...(addOption && { addOption }),
    })),
    edits: edits.map(({ row, column, value }) => ({ row, column, value: storableText(value) })),
  }
}

function choiceProblems(
  values: readonly ValueChoice[],
  mapping: Mapping,
  customFields: readonly CustomField[],
  around: Surroundings,
): Problem[] {
  const fields = new Map(mapping.map(({ column, field }) => [column, field]))
  const definitions = new Map(customFields.map(field => [customPrefix + field.key, field]))
  const seen = new Set<string>()
  const added = new Map<string, Set<string>>()
  return values.flatMap(({ column, value, to, addOption }, index): Problem[] => {
    const field = fields.get(column)
    const definition = definitions.get(field ?? '')
    const listed = field === undefined ? null : choosable(field, definition)
    if (listed === null)
      return [
        valueError(
          ['values', index, 'column'],
          'name a column that becomes a stage, a pipeline, an owner, a country, or a field with options',
          column,
        ),
      ]
    const key = `${column} ${choiceKey(value)}`
    if (seen.has(key)) return [valueError(['values', index, 'value'], 'the value has a choice already', value)]
    seen.add(key)
    if (to === null) return addOption ? [valueError(['values', index, 'to'], 'name the option to add', to)] : []
    if (!addOption)
      return isKnown(listed, to, around) ? [] : [valueError(['values', index, 'to'], 'the field does not have this value', to)]
    if (!definition) return [valueError(['values', index, 'addOption'], 'only a custom field has options that can be added', addOption)]
    if (to.trim() === '' || to.length > maxOptionLength)
      return [valueError(['values', index, 'to'], `an option has 1 to ${maxOptionLength} characters`, to)]
    const options = added.get(definition.key) ?? new Set(definition.options)
    added.set(definition.key, options.add(to.trim()))
    return options.size > maxOptions ? [valueError(['values', index, 'to'], `a field has at most ${maxOptions} options`, to)] : []
  })
}

const editProblems = (edits: readonly CellEdit[], { columns }: ContactImport): Problem[] =>
  edits.flatMap(({ row, column, value }, index) => {
    const problems: Problem[] = []
    if (row < 1) problems.push(problem(['edits', index, 'row'], 'greater_than_equal', row, { ge: 1 }))
    if (!columns[column])
      problems.push(valueError(['edits', index, 'column'], `the file has the columns 0 to ${columns.length - 1}`, column))
    if (value.length > maxEditLength)
      problems.push(problem(['edits', index, 'value'], 'string_too_long', null, { max_length: maxEditLength }))
    return problems
  })

/** The options that the choices add, by the key of their custom field. */
export function addedOptions({ mapping, values }: Pick<Settings, 'mapping' | 'values'>): Map<string, string[]> {
  const fields = new Map(mapping.map(({ column, field }) => [column, field]))
  const added = new Map<string, string[]>()
  for (const { column, to, addOption } of values) {
    const key = fields.get(column)?.slice(customPrefix.length)
    if (addOption && to !== null && key) added.set(key, [...(added.get(key) ?? []), to.trim()])
  }
  return added
}

/** The custom fields that columns of the file may become. */
function customFieldsFor(context: Context, { orgId, noun }: Pick<ContactImport, 'orgId' | 'noun'>): Promise<CustomField[]> {
  const { custom } = fieldsOf[noun]
  return custom === null ? Promise.resolve([]) : customFieldsOf(context, orgId, custom)
}

export interface Reading {
  read: ReturnType<typeof rowReader>
  customFields: readonly CustomField[]
  around: Surroundings
}

/** How the rows of an import are read with the settings. Options that they add count as added. */
export async function readingOf(context: Context, found: ContactImport, settings: Settings): Promise<Reading> {
  const { orgId, columns, noun } = found
  const added = addedOptions(settings)
  const customFields = (await customFieldsFor(context, found)).map(field => {
    const options = added.get(field.key)
    return options ? { ...field, options: [...new Set([...field.options, ...options])] } : field
  })
  const around = { ...(await surroundingsOf(context, orgId, noun)), ...(settings.country !== null && { country: settings.country }) }
  return { read: rowReader(settings.mapping, columns, customFields, around, choicesOf(settings.values), noun), customFields, around }
}

/** Replaces the edited cells of records. */
export function editor(edits: readonly CellEdit[]): <Of extends { row: number; cells: string[] }>(record: Of) => Of {
  const byRow = Map.groupBy(edits, ({ row }) => row)
  return record => {
    const edited = byRow.get(record.row)
    if (!edited) return record
    const cells = [...record.cells]
    for (const { column, value } of edited) {
      while (cells.length < column) cells.push('')
      cells[column] = value
    }
    return { ...record, cells }
  }
}
