// Placeholders in an agent's texts, such as {{first_name}}, for the menu and the preview of its form. The server fills them when a call is dialled.

import type { SampleContactQuery } from '../../generated/operations.ts'

type Sample = NonNullable<SampleContactQuery['contacts']['nodes'][number]>

/** The contact fields that the menu offers. */
export const offered = ['first_name', 'last_name', 'full_name', 'company_name', 'job_title', 'city'] as const
// Further fields that the server fills.
const filled = new Set<string>([...offered, 'email', 'phone', 'company_domain', 'region', 'country'])

// A person, for an organization without contacts.
const somebody: Readonly<Record<string, string>> = {
  first_name: 'Robin',
  last_name: 'Meyer',
  full_name: 'Robin Meyer',
  company_name: 'Northwind Traders',
  job_title: 'Head of Operations',
  city: 'Hamburg',
}

export interface Filling {
  /** The value of a placeholder; undefined for one that nobody knows. */
  lookUp(name: string): string | undefined
  /** The person whose fields these are. */
  person: string
}

export function fillingOf(contact: Sample | undefined, customKeys: readonly string[]): Filling {
  const own: Record<string, string> = contact
    ? {
        first_name: contact.firstName ?? '',
        last_name: contact.lastName ?? '',
        full_name: contact.fullName ?? '',
        company_name: contact.companyName ?? '',
        job_title: contact.jobTitle ?? '',
        city: contact.city ?? '',
      }
    : somebody
  return {
    person: contact?.fullName || contact?.email || 'Robin Meyer',
    lookUp(name) {
      if (name.startsWith('custom.')) {
        const key = name.slice('custom.'.length)
        return customKeys.includes(key) ? String(contact?.custom[key] ?? '') : undefined
      }
      return own[name] ?? (filled.has(name) ? '' : undefined)
    },
  }
}

const placeholder = /( ?)\{\{ *([a-zA-Z][a-zA-Z0-9_]{0,62}(?:\.[a-z0-9_]{1,63})?) *(?:\|([^{}]{0,200}))?\}\}/g

/** The text as the person hears it. */
export const filledText = (text: string, { lookUp }: Filling): string =>
  text.replace(placeholder, (whole, space: string, name: string, fallback: string | undefined) => {
    const value = lookUp(name)
    const shown = value || fallback?.trim()
    return shown ? `${space}${shown}` : value === undefined && fallback === undefined ? whole : ''
  })

/** The placeholders that no field of a contact fills, and that have no fallback. */
export const unknownIn = (text: string, { lookUp }: Filling): string[] => [
  ...new Set(
    [...text.matchAll(placeholder)].flatMap(([, , name = '', fallback]) =>
      lookUp(name) === undefined && fallback === undefined ? [name] : [],
    ),
  ),
]

export const hasPlaceholder = (text: string): boolean => text.search(placeholder) >= 0
