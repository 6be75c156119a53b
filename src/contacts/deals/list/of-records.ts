// Deals and contacts that belong together, loaded for many objects by one statement.

import type { Selection } from '../../../database/selection.ts'
import { type Context, organizationOf } from '../../../kernel/context.ts'
import { type Batch, grouped, load } from '../../../kernel/dataloaders.ts'
import type { ListedContact } from '../../contact/row.ts'
import { contactRowsOfDeals, dealsOfContacts } from '../contacts.sql.ts'
import { dealsOfCompanies } from '../deal.sql.ts'
import type { Deal } from '../row.ts'

export interface ContactOfDeal {
  contact: ListedContact
  role: string | null
}

/** The live contacts of a deal, in their order, with the selected properties. */
export function contactsOf(context: Context, dealId: string, contact: Selection<ListedContact>): Promise<ContactOfDeal[]> {
  const batch: Batch<string, ContactOfDeal[]> = async (context, ids) => {
    const found = await context.db.query(contactRowsOfDeals(contact), [organizationOf(context), ids])
    return grouped(ids, found, row => row.dealId).map(rows => rows.map(({ contact, dealRole }) => ({ contact, role: dealRole })))
  }
  return load(context, batch, dealId, `contacts of deals ${contact.key}`)
}

/** The newest 100 live deals of each company. */
export const loadDealsOfCompanies: Batch<string, Deal[]> = async (context, ids) =>
  grouped(ids, await context.db.query(dealsOfCompanies, [organizationOf(context), ids]), ({ companyId }) => companyId ?? '')

/** The newest 100 live deals of each contact. */
export const loadDealsOfContacts: Batch<string, Deal[]> = async (context, ids) => {
  const found = await context.db.query(dealsOfContacts, [organizationOf(context), ids])
  return grouped(ids, found, ({ contactId }) => contactId).map(rows => rows.map(({ deal }) => deal))
}
