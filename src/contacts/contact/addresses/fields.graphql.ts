// GraphQL: the addresses and numbers of a contact, as outputs and inputs.

import type { FieldMap } from '@pothos/core'
import { builder } from '../../../graphql/schema/builder.ts'
import { enumOf } from '../../../graphql/schema/fields.graphql.ts'
import { readsProperties, selected } from '../../../graphql/schema/lists/selection.graphql.ts'
import type { ListedContact } from '../row.ts'
import { type Address, type AddressKind, addressesIn, addressVerifications, maxAddresses, primaryOf } from './address.ts'
import { label, readers } from './input.ts'

interface Shown extends Address {
  isPrimary: boolean
}
type Types = typeof builder.$inferSchemaTypes
type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]

const VerificationEnum = enumOf(addressVerifications)

const outputType = (name: string, what: string) =>
  builder.objectRef<Shown>(name).implement({
    description: `${what} of a contact.`,
    fields: t => ({
      value: t.exposeString('value', { description: `${what}.` }),
      label: t.exposeString('label', { nullable: true, description: 'Such as work or private.' }),
      isPrimary: t.exposeBoolean('isPrimary', { description: 'Whether it is the first choice. One of them is.' }),
      verification: t.expose('verification', { type: VerificationEnum, description: 'How far it was checked.' }),
    }),
  })
const outputTypes = {
  emails: outputType('ContactEmail', 'Email address'),
  phones: outputType('ContactPhone', 'Telephone number'),
}

const outputOf = (t: PothosSchemaTypes.ObjectFieldBuilder<Types, ListedContact>, kind: AddressKind, description: string) =>
  t.field({
    type: [outputTypes[kind]],
    description,
    extensions: readsProperties(kind, primaryOf[kind]),
    resolve(row): Shown[] {
      const primary = selected(primaryOf[kind])(row)
      return addressesIn(kind, primary, selected(kind)(row)).map((one, index) => ({ ...one, isPrimary: index === 0 && primary !== null }))
    },
  })

export const addressOutputs = (t: PothosSchemaTypes.ObjectFieldBuilder<Types, ListedContact>): FieldMap => ({
  emails: outputOf(t, 'emails', 'All email addresses, the primary one first. Each is unique among live contacts.'),
  phones: outputOf(t, 'phones', 'All telephone numbers, the primary one first.'),
})

/** The inputs of one address. `value` has the bound of its reader. */
const addressInput = (t: InputFields, kind: AddressKind) => ({
  value: t.string({
    required: true,
    description: kind === 'emails' ? 'Email address.' : 'Telephone number. International numbers (`+...`) are stored in E.164.',
    extensions: { maxLength: readers[kind].maxLength },
  }),
  label: t.string({ description: 'Such as work or private, at most 64 characters.', extensions: { maxLength: label.maxLength } }),
  isPrimary: t.boolean({ description: 'Whether it is the first choice.' }),
  verification: t.field({ type: VerificationEnum, description: 'How far it was checked. Default: UNVERIFIED for a new one.' }),
})

const ContactEmailInput = builder.inputType('ContactEmailInput', {
  description: 'An email address of a contact.',
  fields: t => addressInput(t, 'emails'),
})
const ContactPhoneInput = builder.inputType('ContactPhoneInput', {
  description: 'A telephone number of a contact.',
  fields: t => addressInput(t, 'phones'),
})

const all = (what: string, primary: string) =>
  `All ${what}, at most ${maxAddresses}, instead of \`${primary}\`. One says that it is primary, or the first one is.`

/** The inputs that change the lists of a contact. */
export const addressChanges = (t: InputFields) => ({
  addEmails: t.field({ type: [ContactEmailInput], description: adding('Email addresses'), extensions: { maxItems: maxAddresses } }),
  removeEmails: t.stringList({ description: removing('Email addresses'), extensions: { maxLength: readers.emails.maxLength } }),
  addPhones: t.field({ type: [ContactPhoneInput], description: adding('Telephone numbers'), extensions: { maxItems: maxAddresses } }),
  removePhones: t.stringList({ description: removing('Telephone numbers'), extensions: { maxLength: readers.phones.maxLength } }),
})
const adding = (what: string) => `${what} to add. One that is there already gets the label and the verification.`
const removing = (what: string) => `${what} to remove. After the primary one, the next one is primary.`

export const addressInputs = (t: InputFields) => ({
  emails: t.field({ type: [ContactEmailInput], description: all('email addresses', 'email'), extensions: { maxItems: maxAddresses } }),
  phones: t.field({ type: [ContactPhoneInput], description: all('telephone numbers', 'phone'), extensions: { maxItems: maxAddresses } }),
})
