// Validates and normalizes a contact's input. Pure: checks that need the database are in check.ts.

import { emptyOf, type InputOf, readField as read } from '../../kernel/fields/table.ts'
import { type RecordChanges, type RecordPatch, readRecord } from '../records/input.ts'
import { type ContactFields, contactFieldTable } from './row.ts'

/** An absent field stays unchanged. Null clears it: to null, or to the default of a new contact. */
export type ContactInput = InputOf<typeof contactFieldTable>

export interface ContactPatch extends ContactInput, Omit<RecordPatch, 'custom'> {}

/** The changes that an input makes. */
export type Changes = RecordChanges<Omit<ContactFields, 'custom'>>

const { custom: _, ...ownFields } = contactFieldTable
const { source: __, ...empty } = emptyOf(contactFieldTable)
/** The defaults of a new contact. The source is missing, because it depends on the caller. */
// `as`: the source alone has no default.
export const emptyContact = empty as Omit<ContactFields, 'source'>

/** Validates a value of one field, and returns it as it is stored. */
export const readField = <Field extends keyof typeof ownFields>(field: Field, value: NonNullable<ContactInput[Field]>): unknown =>
  read(ownFields[field], value)

/** Validates an input. The result has the problems of all fields. */
export const readContact = (input: ContactPatch): Changes => readRecord(ownFields, input)
