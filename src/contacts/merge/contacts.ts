// Merges of contacts.

import type { Context } from '../../kernel/context.ts'
import { emailKeysOf } from '../contact/addresses/address.ts'
import { newAddresses } from '../contact/addresses/taken.ts'
import { differences, searchTextOf } from '../contact/apply.ts'
import { companiesNow, formerId } from '../contact/company/former.ts'
import { updated } from '../contact/contact.sql.ts'
import { getContact } from '../contact/contact.ts'
import { type Contact, type ContactFields, contactEvents } from '../contact/row.ts'
import { checkFree, unlessTaken } from '../contact/steps.ts'
import { type MergeChoices, mergeFields, unmergeFields } from './contact-fields.ts'
import { lockContactsById, setDeleted, setFields } from './merge.sql.ts'
import { mergingOf, type RecordsToMerge } from './merge.ts'

const contacts: RecordsToMerge<Contact, ContactFields, MergeChoices> = {
  noun: 'contact',
  events: contactEvents,
  get: getContact,
  lock: ({ db }, orgId, ids) => db.query(lockContactsById, [orgId, ids]),
  preview: (winner, loser, choices) => mergeFields(winner, loser, choices).merged,
  async merge(context, winner, loser, choices) {
    const { fields } = mergeFields(winner, loser, choices)
    return fields.companyId === winner.companyId ? fields : { ...fields, ...(await companyNow(context, loser)) }
  },
  async unmerge(context, winner, changes) {
    const former = await companiesNow(context, winner.orgId, [formerId(changes) ?? null])
    const fields = unmergeFields(winner, changes, former)
    await checkFree(context, winner, newAddresses(winner, fields))
    return fields
  },
  differences,
  async writeFields(context, contact, fields) {
    const values = [contact.orgId, contact.id, context.now().toISOString(), ...updated.of({ ...fields, searchText: searchTextOf(fields) })]
    const [row] = await unlessTaken(context, contact, newAddresses(contact, fields), () => context.db.query(setFields, values))
    return { ...contact, ...fields, ...row }
  },
  async setDeleted(context, contact, deletedAt) {
    if (deletedAt === null) await checkFree(context, contact, emailKeysOf(contact))
    const values = [contact.orgId, contact.id, context.now().toISOString(), deletedAt]
    const [row] = await unlessTaken(context, contact, emailKeysOf(contact), () => context.db.query(setDeleted, values))
    return { ...contact, ...row, deletedAt }
  },
  timeline: ({ id }) => ({ contactId: id }),
}

/** Name and domain of the contact's company. They may have changed since the contact was read. */
async function companyNow(context: Context, contact: Contact) {
  const { orgId, companyId } = contact
  const company = (await companiesNow(context, orgId, [companyId])).get(companyId ?? '')
  return company ? { companyName: company.name, companyDomain: company.domain } : {}
}

export const contactMerging = mergingOf(contacts, {})
