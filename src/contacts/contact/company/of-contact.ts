// Links contacts that are written to their companies.

import type { Queries } from '../../../database/queries.ts'
import type { Context } from '../../../kernel/context.ts'
import { storedJson } from '../../../kernel/input/storable.ts'
import { sourceOf } from '../../records/source.ts'
import { holdersOfAddresses } from '../addresses/address.sql.ts'
import { emailKeysOf } from '../addresses/address.ts'
import type { Changes } from '../input.ts'
import type { Contact } from '../row.ts'
import { findCompanies } from './link.sql.ts'
import { type Linking, linkCompanies } from './link.ts'
import { companyIn } from './wanted.ts'

/** A new contact, with the caller who adds it. */
interface New {
  context: Context
  contact: Contact
}

/** The company of a contact, as it is given. */
export const companyWords = ({ companyId, companyName, companyDomain }: Contact) => ({ companyId, companyName, companyDomain })

export const asksForCompany = ({ contact }: Pick<New, 'contact'>): boolean => companyIn(companyWords(contact)).wanted !== null

/** Links new contacts. No company is made for one whose address is taken, because it is not inserted. */
export async function linkNew(tx: Context, inserts: readonly New[]): Promise<void> {
  const linkings = inserts.flatMap(({ context, contact }) => {
    const { wanted } = companyIn(companyWords(contact))
    return wanted ? [{ context, orgId: contact.orgId, wanted, source: contact.source, fields: contact }] : []
  })
  await linkCompanies(tx, linkings, () => withFreeAddress(tx, linkings))
}

async function withFreeAddress<One extends Linking & { fields: Contact }>({ db }: Context, linkings: readonly One[]): Promise<One[]> {
  const taken = new Set<string>()
  for (const [orgId, ofOrganization] of Map.groupBy(linkings, linking => linking.orgId)) {
    const addresses = ofOrganization.flatMap(({ fields }) => emailKeysOf(fields))
    const holders = addresses.length > 0 ? await db.query(holdersOfAddresses, [orgId, addresses]) : []
    for (const { address } of holders) taken.add(`${orgId} ${address}`)
  }
  return linkings.filter(({ orgId, fields }) => !emailKeysOf(fields).some(key => taken.has(`${orgId} ${key}`)))
}

// A second attempt finds the company into which the first was merged. More are needed only if that one is deleted or merged, too.
const maxAttempts = 3

/** Links new contacts to companies that were found by the domain of their address. One whose company is deleted meanwhile has none. */
export async function linkFound(tx: Queries, all: readonly { contact: Contact; companyId: string }[]): Promise<void> {
  let left = all.map(({ contact, companyId }) => ({ contact, key: { id: companyId } as { id: string } | { domain: string } }))
  for (let attempts = 0; left.length > 0 && attempts < maxAttempts; attempts++) {
    const keys = left.map(({ contact, key }, place) => ({ place, org_id: contact.orgId, ...key }))
    for (const { place, id, name, domain, isLocked } of await tx.query(findCompanies, [storedJson(keys)])) {
      const contact = left[place]?.contact
      if (contact && isLocked) Object.assign(contact, { companyId: id, companyName: name, companyDomain: domain })
    }
    left = left.flatMap(({ contact }) => {
      const domain = contact.companyId === null ? contact.email?.toLowerCase().split('@')[1] : undefined
      return domain === undefined ? [] : [{ contact, key: { domain } }]
    })
  }
}

/** The changes of a contact that exists. */
interface Changing {
  contact: Contact
  changes: Changes
}

/** Whether the changes can only be written with a company that has to be found. */
export const meansCompany = ({ contact, changes }: Changing): boolean => companyIn(changes.fields, contact).wanted !== null

/** The changes, with the companies that they mean. In the context's transaction where one is meant. */
export async function linkChanges(context: Context, all: readonly Changing[]): Promise<Changes[]> {
  const asked = all.map(({ contact, changes }) => companyIn(changes.fields, contact))
  const linkings = asked.flatMap(({ fields, wanted }, index): Linking[] => {
    const orgId = all[index]?.contact.orgId ?? ''
    return wanted ? [{ context, orgId, wanted, source: fields.source ?? sourceOf(context), fields }] : []
  })
  await linkCompanies(context, linkings)
  return all.map(({ changes }, index) => ({ ...changes, fields: asked[index]?.fields ?? changes.fields }))
}
