// The mapping of columns to fields: for the selects, and as the API takes it.

import type { ContactField } from '../contact-record/fields/fields.ts'
import type { ContactImportMappingInput, ImportToMapQuery } from '../generated/operations.ts'
import type { ContactField as FieldName } from '../generated/schema.ts'
import { importWords } from '../language/en/inputs/imports.ts'
import { fieldLabel } from '../language/values.ts'

export type ImportToMap = NonNullable<ImportToMapQuery['contactImport']>

/** A field for each column: FIRST_NAME, `custom.<key>`, or null for a column that is left out. */
export type Mapping = readonly (string | null)[]

const prefix = 'custom.'

export const suggestedMapping = ({ columns }: ImportToMap): Mapping =>
  columns.map(({ field, customField, furtherField }) => {
    if (customField !== null) return `${prefix}${customField}`
    return field ?? (furtherField !== null && isSeveral(furtherField) ? furtherField : null)
  })

/** Whether several columns may become the field: a contact has several addresses and numbers, the first one of them primary. */
export const isSeveral = (field: string) => field === 'EMAIL' || field === 'PHONE'

export function mappingInput(mapping: Mapping): ContactImportMappingInput[] {
  return mapping.flatMap((chosen, column): ContactImportMappingInput[] => {
    if (chosen === null) return []
    if (chosen.startsWith(prefix)) return [{ column, customField: chosen.slice(prefix.length) }]
    // `as`: the selects offer fields of the file alone.
    return [{ column, field: chosen as FieldName }]
  })
}

const ownWords: Readonly<Record<string, string>> = importWords.fields

/** The name of a field; ids in another system have names in imports alone. */
export const fieldName = (name: string): string => ownWords[name] ?? fieldLabel(name.toLowerCase())

const camelCased = (name: FieldName) => name.toLowerCase().replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())

/** Options with the labels of fields; `fields` includes the organization's custom fields. */
export function fieldOptions(own: readonly FieldName[], fields: readonly ContactField[]): { value: string; label: string }[] {
  const ofNoun = own.map(value => ({
    value,
    label: fields.find(({ id }) => id === camelCased(value))?.label ?? fieldName(value),
  }))
  const custom = fields.filter(({ id }) => id.startsWith(prefix)).map(({ id, label }) => ({ value: id, label }))
  return [...ofNoun, ...custom]
}
