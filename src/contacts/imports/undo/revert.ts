// Takes back what an import did to a batch of contacts, where nobody has changed it since.

import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../../kernel/context.ts'
import { ownMember } from '../../../kernel/input/json.ts'
import { lockContacts } from '../../bulk/nouns/contacts.sql.ts'
import { contactActs } from '../../bulk/nouns/contacts.ts'
import { holdersOfAddresses } from '../../contact/addresses/address.sql.ts'
import { type Address, type AddressChanges, addressesAfter, addressesOf } from '../../contact/addresses/address.ts'
import { differences } from '../../contact/apply.ts'
import { type Changed, writeChanged } from '../../contact/batch/existing.ts'
import { companiesNow, formerCompany, formerId, isOfCompany } from '../../contact/company/former.ts'
import type { CompanyOfContact } from '../../contact/company/plan.ts'
import type { Contact, ContactFields } from '../../contact/row.ts'
import { customFieldsOf } from '../../custom-fields/field.ts'
import { membersAmong } from '../../records/check.ts'
import { customPrefix } from '../columns/headers.ts'
import { type FieldChanges, nextWritten, workedOn } from './undo.sql.ts'

export interface Reverted {
  /** Contacts that the import had added. */
  deleted: number
  /** Contacts with their former values back. */
  restored: number
  /** Contacts that keep values, because somebody has changed them since, or they cannot be set back. */
  kept: number
  /** Contacts that were deleted since. */
  gone: number
  /** The last contact; null at the end. */
  position: string | null
}

const batchSize = 200
const nowhere = '00000000-0000-0000-0000-000000000000'

export async function revertNext(tx: Context, orgId: string, importId: string, position: string | null): Promise<Reverted> {
  const found = await tx.db.query(nextWritten, [importId, position ?? nowhere, batchSize])
  const ids = found.map(({ contactId }) => contactId)
  const reverted: Reverted = { deleted: 0, restored: 0, kept: 0, gone: 0, position: ids.at(-1) ?? null }
  if (ids.length === 0) return reverted
  const contacts = new Map((await tx.db.query(lockContacts, [orgId, ids])).map(contact => [contact.id, contact]))
  const worked = new Set((await tx.db.query(workedOn, [orgId, ids])).map(({ id }) => id))
  const allowed = await allowance(
    tx,
    orgId,
    found.flatMap(({ changes }) => (changes ? [changes] : [])),
  )
  const companies = await companiesNow(
    tx,
    orgId,
    found.map(({ changes }) => (changes && formerId(changes)) ?? null),
  )
  const toDelete: string[] = []
  const toWrite: Changed[] = []
  for (const { contactId, isCreated, version, changes } of found) {
    const contact = contacts.get(contactId)
    if (!contact || contact.deletedAt !== null) reverted.gone++
    else if (isCreated) {
      if (contact.version === version && !worked.has(contactId)) toDelete.push(contactId)
      else reverted.kept++
    } else {
      const { fields, isWhole } = setBack(contact, changes ?? {}, allowed, companies)
      const changed = differences(contact, fields)
      if (!isWhole) reverted.kept++
      if (Object.keys(changed).length === 0) continue
      if (isWhole) reverted.restored++
      toWrite.push({ contact, fields, changed })
    }
  }
  if (toWrite.length > 0) await writeChanged(tx, orgId, toWrite)
  if (toDelete.length > 0) reverted.deleted = (await contactActs.remove(tx, orgId, toDelete)).changed
  return reverted
}

type Allowed = (contact: Contact, field: string, value: unknown) => boolean

/** Whether a former value can be set back: its address is free, its owner still a member, its custom field still defined. */
async function allowance(tx: Context, orgId: string, all: readonly FieldChanges[]): Promise<Allowed> {
  const textsOf = (field: string) => all.flatMap(changes => (typeof changes[field]?.[0] === 'string' ? [changes[field][0]] : []))
  const owners = textsOf('ownerUserId')
  const addresses = all.flatMap(changes =>
    formerAddresses('email', changes.email?.[0]).concat(formerAddresses('emails', changes.emails?.[0])),
  )
  const holders = addresses.length > 0 ? await tx.db.query(holdersOfAddresses, [orgId, addresses]) : []
  const holderOf = new Map(holders.map(({ address, contactId }) => [address, contactId]))
  const members = owners.length > 0 ? await membersAmong(tx, orgId, owners) : new Set<string>()
  const keys = new Set((await customFieldsOf(tx, orgId)).map(({ key }) => key))
  return ({ id }, field, value) => {
    if (field.startsWith(customPrefix)) return keys.has(field.slice(customPrefix.length))
    if (field === 'ownerUserId') return typeof value !== 'string' || members.has(value)
    const wanted = formerAddresses(field, value)
    if (wanted.some(address => (holderOf.get(address) ?? id) !== id)) return false
    // Of two contacts of the batch that had the address, the first gets it.
    for (const address of wanted) holderOf.set(address, id)
    return true
  }
}

/** The addresses of the former value of a field, as they are compared. */
function formerAddresses(field: string, value: unknown): string[] {
  if (field === 'email' && typeof value === 'string') return [value.toLowerCase()]
  // `as`: `addressDifferences` made the list.
  return field === 'emails' && Array.isArray(value) ? (value as Address[]).map(one => one.value.toLowerCase()) : []
}

function setBack(
  contact: Contact,
  changes: FieldChanges,
  isAllowed: Allowed,
  companies: ReadonlyMap<string, CompanyOfContact>,
): { fields: ContactFields; isWhole: boolean } {
  const fields: Record<string, unknown> = { ...contact, emails: addressesOf(contact, 'emails'), phones: addressesOf(contact, 'phones') }
  const former: Record<string, unknown> = {}
  const custom: Record<string, unknown> = { ...contact.custom }
  const company = formerCompany(contact, changes, companies)
  let isWhole = changes.companyId === undefined || company !== undefined
  for (const [field, [before, after]] of Object.entries(changes)) {
    if (isOfCompany(field) && changes.companyId) continue
    const key = field.startsWith(customPrefix) ? field.slice(customPrefix.length) : null
    const now = key === null ? fields[field] : (ownMember(contact.custom, key) ?? null)
    if (!isDeepStrictEqual(now, after)) isWhole = false
    else if (!isAllowed(contact, field, before) || (isOfCompany(field) && contact.companyId !== null)) isWhole = false
    else if (key === null) former[field] = before
    else if (before === null) delete custom[key]
    else custom[key] = before
  }
  const { emails, phones, ...others } = former
  // `as`: the changes come from an event, which has the stored values of fields, and lists of all addresses.
  const lists = { ...(emails !== undefined && { emails: whole(emails) }), ...(phones !== undefined && { phones: whole(phones) }) }
  const addresses = addressesAfter(contact, { fields: others, ...lists } as AddressChanges)
  return { fields: { ...contact, ...others, ...company, ...addresses, custom } as ContactFields, isWhole }
}

const whole = (all: unknown) => ({ all, add: [], remove: [] })
