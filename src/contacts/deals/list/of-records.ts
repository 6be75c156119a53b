// Deals and contacts that belong together, loaded for many objects by one statement.

import { organizationOf } from '../../../kernel/context.ts'
import { type Batch, grouped } from '../../../kernel/dataloaders.ts'
import type { Contact } from '../../contact/row.ts'
import { contactRowsOfDeals, dealsOfContacts } from '../contacts.sql.ts'
import { dealsOfCompanies } from '../deal.sql.ts'
import type { Deal } from '../row.ts'

export interface ContactOfDeal {
  contact: Contact
  role: string | null
}

/** The live contacts of deals, in their order. */
export const loadContactsOf: Batch<string, ContactOfDeal[]> = async (context, ids) => {
  const found = await context.db.query(contactRowsOfDeals, [organizationOf(context), ids])
  return grouped(ids, found, ({ dealId }) => dealId).map(rows => rows.map(({ contact, dealRole }) => ({ contact, role: dealRole })))
}

/** The newest 100 live deals of each company. */
export const loadDealsOfCompanies: Batch<string, Deal[]> = async (context, ids) =>
  grouped(ids, await context.db.query(dealsOfCompanies, [organizationOf(context), ids]), ({ companyId }) => companyId ?? '')

/** The newest 100 live deals of each contact. */
export const loadDealsOfContacts: Batch<string, Deal[]> = async (context, ids) => {
  const found = await context.db.query(dealsOfContacts, [organizationOf(context), ids])
  return grouped(ids, found, ({ contactId }) => contactId).map(rows => rows.map(({ deal }) => deal))
}
