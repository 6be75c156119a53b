// Which company the changes of a contact mean. Pure: the companies are looked up in link.ts.

import { isFreeMail } from '../../../kernel/input/free-mail.ts'
import type { Changes } from '../input.ts'
import type { ContactFields } from '../row.ts'

/** A company by its id, or by domain and name. */
export type Wanted = { id: string } | NamedCompany

export interface NamedCompany {
  name: string | null
  /** Never a domain of a mail provider. */
  domain: string | null
  /** The value that is looked for first. */
  first: 'domain' | 'name'
}

type Words = Pick<ContactFields, 'companyId' | 'companyName' | 'companyDomain'>
type Given = Changes['fields']

interface Asked {
  /** The changes without the company that is wanted. */
  fields: Given
  wanted: Wanted | null
}

const none: Words = { companyId: null, companyName: null, companyDomain: null }

/**
 * The company of the changes. The id wins over name and domain, and a given domain over the name. Null in place of the company, or of all that
 * is known of it, unlinks; a text that is not null stays with the contact. Values that the contact has already are no change, so that a client
 * may write back what it has read. `before` is absent for a new contact.
 */
export function companyIn(given: Given, before: Words = none): Asked {
  const { companyId, companyName, companyDomain, ...others } = given
  const isText = (value: string | null | undefined) => typeof value === 'string'
  if (isText(companyId)) return { fields: others, wanted: companyId === before.companyId ? null : { id: companyId ?? '' } }
  if (companyId === null && (before.companyId !== null || !(isText(companyName) || isText(companyDomain))))
    return { fields: { ...others, ...none }, wanted: null }

  const name = companyName === before.companyName ? undefined : companyName
  const domain = companyDomain === before.companyDomain ? undefined : companyDomain
  if (name === undefined && domain === undefined) return { fields: others, wanted: null }
  const words = { ...(name !== undefined && { companyName: name }), ...(domain !== undefined && { companyDomain: domain }) }
  if (typeof domain === 'string' && !isFreeMail(domain))
    return { fields: others, wanted: { domain, name: name === undefined ? before.companyName : name, first: 'domain' } }
  // A mail provider gives its domain to everybody, so it names no company.
  if (typeof name !== 'string') return { fields: { ...others, ...words, companyId: null }, wanted: null }
  const kept = domain === undefined && before.companyId === null ? before.companyDomain : null
  const spare = kept !== null && isFreeMail(kept) ? null : kept
  return { fields: others, wanted: { name, domain: spare, first: before.companyName === null && spare !== null ? 'domain' : 'name' } }
}
