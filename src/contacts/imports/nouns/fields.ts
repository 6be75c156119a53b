// The nouns that rows of a file can become, and the fields of each that a column can become. Pure.

import { enumeration, type ValueOf } from '../../../kernel/fields/enumeration.ts'
import type { FieldTable } from '../../../kernel/fields/table.ts'
import { companyFields } from '../../companies/row.ts'
import { contactFieldTable } from '../../contact/row.ts'
import { dealFields } from '../../deals/row.ts'
import { noteFields } from '../../notes/note.sql.ts'
import type { RecordNoun } from '../../records/nouns.ts'
import { taskFields } from '../../tasks/task.sql.ts'

// In the order of their import: each links to those before it.
export const importNouns = enumeration('ImportNoun', 'Noun of the rows of a file.', {
  company: 'Companies.',
  contact: 'Contacts.',
  deal: 'Deals.',
  note: 'Notes.',
  task: 'Tasks.',
})
export type ImportNoun = ValueOf<typeof importNouns>

/** The place of the noun in the order of imports. */
export const placeOf = (noun: ImportNoun): number => importNouns.values.indexOf(noun)

interface FieldsOfNoun {
  /** One of its rows, in sentences. */
  word: string
  /** The fields that the noun declares. */
  table: FieldTable
  /** Further fields, whose cells have readers of their own. */
  further: readonly string[]
  /** The noun of its custom fields; null for a noun without. */
  custom: RecordNoun | null
}

const without = (table: FieldTable, ...names: readonly string[]): FieldTable =>
  Object.fromEntries(Object.entries(table).filter(([name]) => !names.includes(name)))

export const fieldsOf: Readonly<Record<ImportNoun, FieldsOfNoun>> = {
  contact: {
    word: 'contact',
    table: without(contactFieldTable, 'custom'),
    further: ['recordId', 'companyRecordId'],
    custom: 'contact',
  },
  company: {
    word: 'company',
    table: without(companyFields, 'custom', 'domains'),
    further: ['annualRevenue', 'recordId'],
    custom: 'company',
  },
  deal: {
    word: 'deal',
    table: without(dealFields, 'custom', 'companyId'),
    further: ['amount', 'pipelineId', 'stageId', 'dealStatus', 'companyName', 'recordId', 'companyRecordId', 'contactRecordIds'],
    custom: 'deal',
  },
  note: {
    word: 'note',
    table: without(noteFields, 'pinned'),
    further: ['recordId', 'companyRecordId', 'contactRecordIds', 'dealRecordId', 'relatedRecordId'],
    custom: null,
  },
  task: {
    word: 'task',
    table: without(taskFields, 'remindAt'),
    further: ['recordId', 'companyRecordId', 'contactRecordIds', 'dealRecordId', 'relatedRecordId'],
    custom: null,
  },
}

/** The fields that name records by their ids in the system of the file, with the nouns that each may mean. */
export const linkFields = {
  companyRecordId: ['company'],
  contactRecordIds: ['contact'],
  dealRecordId: ['deal'],
  relatedRecordId: ['deal', 'contact', 'company'],
} as const satisfies Readonly<Record<string, readonly RecordNoun[]>>
export type LinkField = keyof typeof linkFields
export const linkFieldNames = Object.keys(linkFields) as LinkField[]

/** The names of the fields of a noun that a column may become. */
export const namesOfFields = (noun: ImportNoun): string[] => [...Object.keys(fieldsOf[noun].table), ...fieldsOf[noun].further]

export const isFieldOf = (noun: ImportNoun, name: string): boolean =>
  Object.hasOwn(fieldsOf[noun].table, name) || fieldsOf[noun].further.includes(name)

/** The names of all of them: the contacts' first, each once. */
export const allFieldNames: readonly string[] = [
  ...new Set((['contact', 'company', 'deal', 'note', 'task'] as const).flatMap(namesOfFields)),
]
