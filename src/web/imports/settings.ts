// The answers of a person on the way from a file to its import. This tab keeps them, so that they survive a reload.

import { useState } from 'react'
import type { CheckImportQuery, StartContactImportInput } from '../generated/operations.ts'
import type { OnConflict } from '../generated/schema.ts'
import { dropDraft, keepDraft, readDraft } from '../session/drafts.ts'
import { type ImportToMap, type Mapping, mappingInput, suggestedMapping } from './mapping.ts'

export type ImportCheck = CheckImportQuery['checkContactImport']
export type UnknownValue = ImportCheck['unknownValues'][number]
export type Step = 'columns' | 'values' | 'check'

/** The text that is read in place of a value; null leaves the field empty. */
export interface Choice {
  to: string | null
  addOption?: boolean
}

export interface Answers {
  step: Step
  mapping: Mapping
  /** Null: the organization's. */
  country: string | null
  /** By `keyOf`. A value without a choice has the server's guess. */
  choices: Readonly<Record<string, Choice>>
  edits: readonly { row: number; column: number; value: string }[]
  /** Rows that somebody leaves out, by their number in the file. */
  leftOut: readonly number[]
  onConflict: OnConflict | null
}

export const keyOf = ({ column, value }: Pick<UnknownValue, 'column' | 'value'>): string => `${column} ${value}`

const draftOf = (id: string) => `import ${id}`
export const dropAnswers = (id: string): void => dropDraft(draftOf(id))

/** The answers belong to the file's columns: another format has other columns, and its own mapping. */
export function useAnswers(found: ImportToMap): [Answers, (change: Partial<Answers>) => void] {
  const columns = JSON.stringify(found.columns.map(({ name }) => name))
  const [kept, setKept] = useState(() => readDraft<{ columns: string; answers: Answers }>(draftOf(found.id)))
  const mapping = suggestedMapping(found)
  const first: Answers = { step: 'columns', mapping, country: null, choices: {}, edits: [], leftOut: [], onConflict: null }
  const answers = kept?.columns === columns && kept.answers ? kept.answers : first
  const change = (next: Partial<Answers>) => {
    const draft = { columns, answers: { ...answers, ...next } }
    keepDraft(draftOf(found.id), draft)
    setKept(draft)
  }
  return [answers, change]
}

/** The choices with the server's guesses for the values without one. */
export function choiceOf(answers: Answers, value: UnknownValue): Choice {
  return answers.choices[keyOf(value)] ?? { to: value.suggestion }
}

/** The settings as the API takes them. */
export function settingsOf(id: string, answers: Answers, unknown: readonly UnknownValue[]): StartContactImportInput {
  const { mapping, onConflict, country } = answers
  const values = unknown.map(one => ({ column: one.column, value: one.value, ...choiceOf(answers, one) }))
  return { id, mapping: mappingInput(mapping), onConflict, country, values, edits: editsOf(answers) }
}

// As many as the API takes.
const maxEdits = 1000

/** Whether the API takes another edited cell, or another row that is left out. */
export const mayEdit = (answers: Answers): boolean => editsOf(answers).length + answers.mapping.length < maxEdits

/** A row without a value in any mapped column is left out. */
function editsOf({ edits, leftOut, mapping }: Answers): Answers['edits'][number][] {
  const columns = mappingInput(mapping).map(({ column }) => column)
  const emptied = leftOut.flatMap(row => columns.map(column => ({ row, column, value: '' })))
  return [...edits.filter(({ row }) => !leftOut.includes(row)), ...emptied]
}
