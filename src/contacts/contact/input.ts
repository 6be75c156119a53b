// Validates and normalizes a contact's input. Pure: checks that need the database are in check.ts.

import { emptyOf, type InputOf, readField as read } from '../../kernel/fields/table.ts'
import { type RecordChanges, type RecordPatch, readRecord } from '../records/input.ts'
import { type AddressChanges, addressKinds, primaryOf } from './addresses/address.ts'
import { type AddressesInput, type AddressesPatch, readListChanges } from './addresses/input.ts'
import { type ContactFields, contactFieldTable } from './row.ts'

/** An absent field stays unchanged. Null clears it: to null, or to the default of a new contact. */
export interface ContactInput extends InputOf<typeof contactFieldTable>, AddressesInput {}

export interface ContactPatch extends ContactInput, AddressesPatch, Omit<RecordPatch, 'custom'> {}

/** The changes that an input makes. */
export interface Changes extends RecordChanges<Omit<ContactFields, 'custom' | 'emails' | 'phones'>>, Omit<AddressChanges, 'fields'> {}

const { custom: _, ...ownFields } = contactFieldTable
const { source: __, ...empty } = emptyOf(contactFieldTable)
/** The defaults of a new contact. The source is missing, because it depends on the caller. */
// `as`: the source alone has no default.
export const emptyContact = { ...empty, emails: [], phones: [] } as Omit<ContactFields, 'source'>

/** Validates a value of one field, and returns it as it is stored. */
export const readField = <Field extends keyof typeof ownFields>(field: Field, value: NonNullable<ContactInput[Field]>): unknown =>
  read(ownFields[field], value)

/** Validates an input. The result has the problems of all fields. */
export function readContact(input: ContactPatch): Changes {
  const changes: Changes = readRecord(ownFields, input)
  for (const kind of addressKinds) {
    const { changes: list, problems } = readListChanges(kind, input, changes.fields[primaryOf[kind]])
    for (const problem of problems) changes.problems.push(problem)
    if (!list) continue
    changes[kind] = list
    // By the primary one a contact is found.
    if (list.all) changes.fields[primaryOf[kind]] = list.all[0]?.value ?? null
  }
  return changes
}

/** The addresses that the changes bring, the primary one first. */
export const addressesIn = ({ fields, emails }: Changes): string[] => [
  ...(emails?.all?.map(({ value }) => value) ?? (fields.email ? [fields.email] : [])),
  ...(emails?.add.map(({ value }) => value) ?? []),
]
