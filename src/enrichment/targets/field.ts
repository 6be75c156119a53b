// The fields that suggestions are about: those of contacts that a machine may fill in, custom fields, and any name for other targets.

import { readContact } from '../contacts/contact-input.ts'
import type { ContactFields } from '../contacts/contact-row.ts'
import { Failed } from '../contacts/contact-value.ts'
import type { CustomField } from '../contacts/custom-field.ts'
import { readCustom } from '../contacts/custom-value.ts'

/** What a machine may propose for a contact, and what kind of value that is. Everything else is for people to decide. */
export const contactFieldTypes = {
  email: 'email',
  firstName: 'text',
  lastName: 'text',
  fullName: 'text',
  phone: 'phone',
  jobTitle: 'text',
  companyName: 'text',
  companyDomain: 'domain',
  linkedinUrl: 'url',
  city: 'text',
  region: 'text',
  country: 'country',
  timezone: 'timezone',
  avatarUrl: 'url',
} as const satisfies Partial<Record<keyof ContactFields, string>>
export type ContactField = keyof typeof contactFieldTypes

export const isContactField = (field: string): field is ContactField => Object.hasOwn(contactFieldTypes, field)

const customField = /^custom\.([a-z][a-z0-9_]{0,62})$/
const anyField = /^[a-z][a-zA-Z0-9]{0,62}$/

/** The key of a custom field; null for other fields. */
export const customKeyOf = (field: string): string | null => customField.exec(field)?.[1] ?? null

/** `job_title` -> `jobTitle`; keys of custom fields stay as they are. */
export const fieldNamed = (name: string): string =>
  name.startsWith('custom.') ? name : name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** `jobTitle` -> `job_title`: how recipes and REST write it. */
export const wireName = (field: string): string =>
  field.startsWith('custom.') ? field : field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

export const isFieldName = (field: string): boolean => anyField.test(field) || customField.test(field)

/** What a contact has in a field now, null for nothing. */
export function valueIn(contact: ContactFields, field: string): unknown {
  const key = customKeyOf(field)
  if (key !== null) return contact.custom[key] ?? null
  return isContactField(field) ? contact[field] : null
}

/** The input that sets a field of a contact. */
export function patchOf(field: string, value: unknown): Record<string, unknown> {
  const key = customKeyOf(field)
  return key === null ? { [field]: value } : { custom: { [key]: value } }
}

export interface Value {
  value: unknown
  type: string
}

/** A proposed value as the contact would hold it; null for one that it could not hold. */
export function readForContact(field: string, value: unknown, definitions: readonly CustomField[]): Value | null {
  const key = customKeyOf(field)
  if (key !== null) {
    const definition = definitions.find(one => one.key === key)
    const read = definition && value !== null ? readCustom([definition], { [key]: value }) : null
    return definition && read && !(read instanceof Failed) ? { value: read[key], type: definition.type } : null
  }
  if (!isContactField(field) || typeof value !== 'string') return null
  const { fields, problems } = readContact({ [field]: value })
  const read = fields[field]
  return problems.length === 0 && read !== null && read !== undefined ? { value: read, type: contactFieldTypes[field] } : null
}

// What a target that is no contact may be told: 2,000 characters hold a description, not a page.
const longestText = 2000

/** A proposed value for a target of which only the name of the field is known. */
export function readForAny(field: string, value: unknown): Value | null {
  if (!isFieldName(field)) return null
  if (typeof value === 'boolean') return { value, type: 'boolean' }
  if (typeof value === 'number') return Number.isFinite(value) ? { value, type: 'number' } : null
  if (typeof value !== 'string') return null
  const text = value.replaceAll('\0', '').trim().slice(0, longestText).toWellFormed()
  if (text === '') return null
  if (isContactField(field) && field !== 'fullName') {
    const read = readForContact(field, text, [])
    if (read) return read
  }
  return { value: text, type: /^https?:\/\/\S+$/.test(text) ? 'url' : 'text' }
}
