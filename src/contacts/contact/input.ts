// Validates and normalizes a contact's input. Pure: checks that need the database are in check.ts.

import { emptyOf, type InputOf, readField as read, readFields } from '../../kernel/fields/table.ts'
import { at, Invalid, type Problem } from '../../kernel/input/problem.ts'
import { tags } from './fields.ts'
import { type ContactFields, contactFieldTable } from './row.ts'

/** An absent field stays unchanged. Null clears it: to null, or to the default of a new contact. */
export type ContactInput = InputOf<typeof contactFieldTable>

export interface ContactPatch extends ContactInput {
  addTags?: readonly string[] | null
  removeTags?: readonly string[] | null
}

/** The changes that an input makes. */
export interface Changes {
  fields: Partial<Omit<ContactFields, 'custom'>>
  /** Properties to set, null for those to remove; null instead of an object removes all. */
  custom: Record<string, unknown> | null
  addTags: readonly string[]
  removeTags: readonly string[]
  problems: Problem[]
}

const { custom: _, ...ownFields } = contactFieldTable
const { source: __, ...empty } = emptyOf(contactFieldTable)
/** The defaults of a new contact. The source is missing, because it depends on the caller. */
// `as`: the source alone has no default.
export const emptyContact = empty as Omit<ContactFields, 'source'>

/** Validates a value of one field, and returns it as it is stored. */
export const readField = <Field extends keyof typeof ownFields>(field: Field, value: NonNullable<ContactInput[Field]>): unknown =>
  read(ownFields[field], value)

/** Validates an input. The result has the problems of all fields. */
export function readContact(input: ContactPatch): Changes {
  const { custom = {} } = input
  const changes: Changes = { ...readFields(ownFields, input), custom, addTags: [], removeTags: [] }
  for (const field of ['addTags', 'removeTags'] as const) {
    const value = tags(input[field] ?? [])
    if (value instanceof Invalid) for (const problem of at(field, value)) changes.problems.push(problem)
    else changes[field] = value
  }
  return changes
}
