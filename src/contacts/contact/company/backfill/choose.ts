// The company of a contact that keeps what it says of it. Pure.

import { newId } from '../../../../kernel/ids.ts'
import { isFreeMail } from '../../../../kernel/input/free-mail.ts'
import type { CompanyOfContact } from '../plan.ts'

/** Name and domain of the company, as a contact has them. */
export interface Said {
  companyName: string | null
  companyDomain: string | null
}

export type Known = Map<string, CompanyOfContact>
export const domainKey = (domain: string) => `domain ${domain}`
export const nameKey = (name: string) => `name ${name.toLowerCase()}`

/** The domain of a company. A mail provider gives its domain to everybody. */
export const ownDomain = ({ companyDomain }: Said): string | null =>
  companyDomain === null || isFreeMail(companyDomain) ? null : companyDomain

/**
 * The company with the contact's domain, or else with its name, if it does not contradict: both have the same name and domain without regard to
 * case, or one of them has none. Null where it does: then the contact stays without a company until somebody edits it, and says what it said.
 * Otherwise a new one, which is known from then on.
 */
export function chooseCompany(said: Said, known: Known, made: CompanyOfContact[]): CompanyOfContact | null {
  const [name, domain] = [said.companyName, ownDomain(said)]
  const holder = domain === null ? undefined : known.get(domainKey(domain))
  if (holder) return name === null || name.toLowerCase() === holder.name.toLowerCase() ? holder : null
  const namesake = name === null ? undefined : known.get(nameKey(name))
  if (namesake && (namesake.domain === null || said.companyDomain === null)) return namesake
  // The domain of a mail provider alone, or beside the name of a company with another one.
  if (domain === null && (namesake || name === null)) return null
  const company: CompanyOfContact = { id: newId(), name: name ?? domain ?? '', domain }
  made.push(company)
  if (domain !== null) known.set(domainKey(domain), company)
  if (!namesake) known.set(nameKey(company.name), company)
  return company
}
