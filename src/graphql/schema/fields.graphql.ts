// GraphQL outputs, inputs and enums that follow from field tables.

import type { FieldMap, InputFieldRef } from '@pothos/core'
import type { Unread } from '../../database/table.ts'
import type { Enumeration } from '../../kernel/fields/enumeration.ts'
import { type FieldTable, type FieldType, type GivenOf, isEnumeration, type StoredIn } from '../../kernel/fields/table.ts'
import { perObject } from '../../kernel/per-object.ts'
import { builder } from './builder.ts'
import { selected } from './lists/selection.graphql.ts'

type Types = typeof builder.$inferSchemaTypes
type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]

/** The enum of an enumeration. Its values are named in upper case. */
export const enumOf = perObject(<Value extends string>({ name, description, values, meanings }: Enumeration<Value>) =>
  builder.enumType(name, {
    description,
    values: Object.fromEntries(values.map(value => [value.toUpperCase(), { value, description: meanings[value] }])),
  }),
)

type RowWith<Of extends FieldTable> = { readonly [Name in keyof Of]?: StoredIn<Of>[Name] | Unread }

/** The outputs of the fields. Rows of a list may have only those that the query selects. */
export function outputFields<Row extends RowWith<Of>, Of extends FieldTable>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Row>,
  fields: Of,
): FieldMap {
  const make = defineField<FieldMap[string]>(t)
  return Object.fromEntries(
    Object.entries(fields).map(([name, { column, type, is }]) => [
      name,
      make({ type: outputType(type), nullable: column.options.isNullable === true, description: is, resolve: selected(name) }),
    ]),
  )
}

type InputsOf<Of extends FieldTable, Required> = {
  [Name in keyof Of]: InputFieldRef<Types, Name extends Required ? GivenOf<Of[Name]> : GivenOf<Of[Name]> | null | undefined>
}

/**
 * The inputs of the fields. The `extensions` of each have its `maxLength` in characters, for a list of each item, or the range of a number:
 * the doors document it and the rules check it.
 */
export function inputFields<Of extends FieldTable, Required extends keyof Of & string = never>(
  t: InputFields,
  fields: Of,
  ...required: Required[]
): InputsOf<Of, Required> {
  const make = defineField<InputFieldRef<Types, unknown>>(t)
  const needed: readonly string[] = required
  const inputs = Object.entries(fields).map(([name, { type, read, is, takes }]) => {
    const { maxLength, range } = read
    const bound = maxLength === undefined ? is : `At most ${maxLength.toLocaleString('en')} characters.`
    const options = { type: inputType(type), required: needed.includes(name), description: takes ?? bound }
    return [name, make({ ...options, extensions: { ...(maxLength !== undefined && { maxLength }), ...range } })]
  })
  // Object.fromEntries does not keep the key type; the names and types come from the table.
  return Object.fromEntries(inputs) as InputsOf<Of, Required>
}

// The types of a table are known when it runs, and Pothos infers from those that are written down.
const defineField =
  <Ref>(t: object) =>
  (options: object): Ref =>
    (t as { field(options: object): Ref }).field(options)

const outputType = (type: FieldType) => (isEnumeration(type) ? enumOf(type) : type)
const inputType = (type: FieldType) => (type === 'EmailAddress' || type === 'URL' ? 'String' : outputType(type))
