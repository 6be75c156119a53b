// Finds out whether other live contacts have the addresses that a contact is to get.

import type { Queries } from '../../../database/queries.ts'
import type { Contact, ContactFields } from '../row.ts'
import { holdersOfAddresses } from './address.sql.ts'
import { emailKeysOf } from './address.ts'

/** The live contact, other than this one, that has one of the addresses. */
export async function otherHolder(db: Queries, orgId: string, id: string, addresses: readonly string[]): Promise<string | undefined> {
  if (addresses.length === 0) return undefined
  const holders = await db.query(holdersOfAddresses, [orgId, addresses])
  return holders.find(({ contactId }) => contactId !== id)?.contactId
}

/** The addresses that the contact does not have yet. */
export function newAddresses(before: ContactFields, after: ContactFields): string[] {
  if (before.email === after.email && before.emails === after.emails) return []
  const former = emailKeysOf(before)
  return emailKeysOf(after).filter(key => !former.includes(key))
}

/** Of contacts that are changed together: those that would get an address of another one, with its id. */
export async function takenAmong(
  db: Queries,
  orgId: string,
  changed: readonly { contact: Contact; fields: ContactFields }[],
): Promise<Map<string, string>> {
  const wanted = changed.map(({ contact, fields }) => ({ id: contact.id, addresses: newAddresses(contact, fields) }))
  const all = wanted.flatMap(({ addresses }) => addresses)
  const found = all.length > 0 ? await db.query(holdersOfAddresses, [orgId, all]) : []
  const holderOf = new Map(found.map(({ address, contactId }) => [address, contactId]))
  const taken = new Map<string, string>()
  for (const { id, addresses } of wanted) {
    const other = addresses.map(address => holderOf.get(address)).find(holder => holder !== undefined && holder !== id)
    if (other !== undefined) taken.set(id, other)
    // Of two contacts that want an address, the first gets it.
    else for (const address of addresses) holderOf.set(address, id)
  }
  return taken
}
