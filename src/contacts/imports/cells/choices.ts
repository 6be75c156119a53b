// Values of a closed list: stages, owners, countries and options of custom fields. A person says once which value another program's word means.

import { lifecycleStages } from '../../contact/row.ts'
import type { CustomField } from '../../custom-fields/field.sql.ts'
import { listOf } from '../../exports/lists.ts'
import { isError, isPlaceholder } from './cell.ts'
import { countryGuessed } from './countries.ts'
import { nearest } from './nearest.ts'
import { isOption, readCell, readCustomCell, type Surroundings } from './read.ts'
import { pipelineGuessed, stageGuessed } from './records/deals.ts'

/** A cell with another text than in the file. */
export interface CellEdit {
  /** The number of its row in the file, from 1. */
  row: number
  /** The column's index in the file, from 0. */
  column: number
  value: string
}

/** The choice for a value of a column. */
export interface ValueChoice {
  /** The column's index in the file, from 0. */
  column: number
  /** The text of the cell, or of one of its list. Case and blanks around it do not matter. */
  value: string
  /** The text that is read in its place; null leaves the field empty. */
  to: string | null
  /** Whether `to` becomes an option of the custom field when the import starts. */
  addOption?: boolean | null
}

/** The choices of each column, by `choiceKey`. */
export type Choices = ReadonlyMap<number, ReadonlyMap<string, string | null>>

export const choiceKey = (text: string): string => text.trim().toLowerCase()

export function choicesOf(values: readonly ValueChoice[]): Choices {
  const choices = new Map<number, Map<string, string | null>>()
  for (const { column, value, to } of values) {
    const ofColumn = choices.get(column) ?? new Map<string, string | null>()
    ofColumn.set(choiceKey(value), to)
    choices.set(column, ofColumn)
  }
  return choices
}

// Members and stages are chosen by their ids.
const listedFields = ['lifecycleStage', 'ownerUserId', 'assigneeUserId', 'country', 'pipelineId', 'stageId', 'lostReason'] as const
type Choosable = (typeof listedFields)[number] | CustomField

/** The field if its values are chosen from a list. */
export function choosable(field: string, definition: CustomField | undefined): Choosable | null {
  if (definition) return definition.type === 'select' || definition.type === 'multi_select' ? definition : null
  return listedFields.find(one => one === field) ?? null
}

// In characters. A longer text is no value of a list.
const maxValue = 200

/** The text of a cell with the chosen values in place of the given ones; null for a cell that is left empty. */
export function withChoices(
  text: string,
  field: Choosable,
  choices: ReadonlyMap<string, string | null>,
): string | readonly string[] | null {
  const whole = choices.get(choiceKey(text))
  if (whole !== undefined) return whole
  if (typeof field === 'string' || field.type !== 'multi_select') return text
  return listOf(text).flatMap(item => {
    const chosen = choices.get(choiceKey(item))
    return chosen === undefined ? [item] : chosen === null ? [] : [chosen]
  })
}

/** The values in a cell that the field does not have. Placeholders such as n/a are none. */
export function unknownIn(field: Choosable, text: string, around: Surroundings): string[] {
  if (text.length > maxValue * 20 || isError(text)) return []
  if (typeof field === 'string') {
    if (text.length > maxValue || (isPlaceholder(text) && field !== 'country')) return []
    const { value, warnings } = readCell(field, text, around)
    return value === undefined && !warnings.includes('has no value') ? [text] : []
  }
  if (isOption(field, text) || isPlaceholder(text)) return []
  const items = field.type === 'multi_select' ? listOf(text) : [text]
  return items.filter(item => item.length <= maxValue && !isOption(field, item))
}

/** Whether the field has the value. */
export const isKnown = (field: Choosable, text: string, around: Surroundings): boolean => {
  const { value, warnings } = typeof field === 'string' ? readCell(field, text, around) : readCustomCell(field, text, around)
  return value !== undefined && warnings.length === 0
}

/** The value that an unknown one probably means, as `to` takes it; null for none that is near. */
export function guessOf(field: Choosable, text: string, around: Surroundings): string | null {
  if (field === 'country') return countryGuessed(text)
  if (field === 'lifecycleStage')
    return nearest(
      text,
      lifecycleStages.values.map(stage => [stage, stage] as const),
    )
  if (field === 'ownerUserId' || field === 'assigneeUserId') return memberGuessed(text, around)
  if (field === 'pipelineId') return pipelineGuessed(text, around)
  if (field === 'stageId') return stageGuessed(text, around)
  if (field === 'lostReason') return nearest(text, around.lostReasons?.map(reason => [reason, reason] as const) ?? [])
  return nearest(
    text,
    field.options.map(option => [option, option] as const),
  )
}

// By a first name, an initial with a last name, or a name that is misspelt.
function memberGuessed(text: string, { members }: Surroundings): string | null {
  const words = text
    .toLowerCase()
    .split(/[\s.,_@-]+/)
    .filter(Boolean)
  const [first = ''] = words
  const found = new Set<string>()
  for (const [name, id] of members) {
    if (id === null || name === id.toLowerCase()) continue
    const parts = name.split('@')[0]?.split(/[\s._-]+/) ?? []
    if (words.length > 0 && words.every((word, at) => (at === 0 ? parts[0]?.startsWith(word) : parts.some(part => part.startsWith(word)))))
      found.add(id)
  }
  const [only] = found
  if (found.size === 1 && first.length > 0) return only ?? null
  return nearest(
    text,
    [...members].flatMap(([name, id]) => (id === null ? [] : [[name, id] as const])),
  )
}
