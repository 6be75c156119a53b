// Placeholders in an agent's texts, such as `{{first_name}}` and `{{first_name|there}}`, and the values that fill them. Pure.

import { closest, distance } from 'fastest-levenshtein'
import { type ContactFields, contactFields, contactFieldTable } from '../../contacts/contact/row.ts'
import { snakeCase } from '../../kernel/input/case.ts'
import { cutText } from '../../kernel/input/cut.ts'
import { ownMember } from '../../kernel/input/json.ts'

/** A space before a placeholder belongs to it: where nothing fills it, "Hello {{first_name}}, this is" becomes "Hello, this is". */
const placeholder = /( ?)\{\{ *([a-zA-Z][a-zA-Z0-9_]{0,62}(?:\.[a-z0-9_]{1,63})?) *(?:\|([^{}]{0,200}))?\}\}/g

const filling = new Set(['text', 'email', 'phone', 'domain', 'country'])
/** The contact fields that fill placeholders, by the placeholder's name. */
const fieldByName: ReadonlyMap<string, keyof ContactFields> = new Map(
  contactFields.filter(name => filling.has(contactFieldTable[name].suggestedAs ?? '')).map(name => [snakeCase(name), name]),
)
export const placeholderNames: readonly string[] = [...fieldByName.keys()]

type Values = Readonly<Record<string, unknown>>

export interface Placeholder {
  name: string
  /** The text in place of a missing value; undefined without one. */
  fallback: string | undefined
}

/** The placeholders of the texts. */
export const placeholdersIn = (...texts: readonly (string | null)[]): Placeholder[] =>
  texts.flatMap(text => [...(text ?? '').matchAll(placeholder)].map(([, , name = '', fallback]) => ({ name: snakeCase(name), fallback })))

// 200: a value is a name or a place, and must not become instructions of its own.
const maxValue = 200

/**
 * The text with its placeholders filled: by the caller's `variables`, then by the contact's fields, then by the fallback. A contact field
 * without a value is left out. A placeholder that nobody knows stays, because the provider may know it.
 */
export function fillText(text: string, variables: Values, contact: ContactFields | null): string {
  return text.replace(placeholder, (whole, space: string, given: string, fallback: string | undefined) => {
    const name = snakeCase(given)
    const value = plain(ownMember(variables, name) ?? ownMember(variables, given)) || plain(contact && contactValue(contact, name))
    const filled = value || fallback?.trim()
    if (filled) return `${space}${filled}`
    const isKnown = fallback !== undefined || isContactName(name) || Object.hasOwn(variables, name) || Object.hasOwn(variables, given)
    return isKnown ? '' : whole
  })
}

/** The contact's value for a placeholder. */
export function contactValue(contact: ContactFields, name: string): unknown {
  const field = fieldByName.get(name)
  return field ? contact[field] : name.startsWith('custom.') ? ownMember(contact.custom, name.slice('custom.'.length)) : undefined
}

const isContactName = (name: string) => fieldByName.has(name) || name.startsWith('custom.')

function plain(value: unknown): string {
  const texts = Array.isArray(value) ? value : [value]
  if (!texts.every(one => ['string', 'number', 'boolean'].includes(typeof one))) return ''
  return cutText(
    texts
      .join(', ')
      .replaceAll(/[\s{}]+/g, ' ')
      .trim(),
    maxValue,
  )
}

/** A sentence about each placeholder that no contact field fills. `customKeys`: the keys of the organization's custom fields. */
export function warningsAbout(placeholders: readonly Placeholder[], customKeys: readonly string[]): string[] {
  const known = [...placeholderNames, ...customKeys.map(key => `custom.${key}`)]
  const unknown = new Map(placeholders.filter(({ name }) => !known.includes(name)).map(one => [one.name, one]))
  return [...unknown.values()].flatMap(({ name, fallback }) => {
    const nearest = closest(name, known)
    // A quarter of the name: one letter of city, three of company_name.
    if (distance(name, nearest) <= Math.max(1, Math.floor(nearest.length / 4)))
      return [`{{${name}}} is not known; did you mean {{${nearest}}}?`]
    if (name.startsWith('custom.')) return [`{{${name}}} is not known: there is no such custom field`]
    return fallback === undefined
      ? [`{{${name}}} is no field of a contact: give it with each call, or write a fallback such as {{${name}|there}}`]
      : []
  })
}
