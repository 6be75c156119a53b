// What the rules refuse in a contact's fields, for requests that are refused for another reason anyway: callers hear all of it at once.

import { type ContactPatch, readContact } from '../contacts/contact-input.ts'
import type { Problem } from '../errors.ts'

/** `fields` are those of a body that have the right shape. What depends on the organization is not among the problems. */
export function problemsOfContact(fields: Readonly<Record<string, unknown>>): readonly Problem[] {
  const input = Object.entries(fields).map(([name, value]) => [
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    name === 'last_contacted_at' && typeof value === 'string' ? new Date(value) : value,
  ])
  // The shapes in inputs.ts, which every field here has passed, are those of the rules' input.
  return readContact(Object.fromEntries(input) as ContactPatch).problems
}
