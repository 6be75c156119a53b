// Deletes the contacts, companies and deals of sample data for good, with their notes and tasks.

import type { Statement } from '../../database/statement.ts'
import type { Context } from '../../kernel/context.ts'
import { eventRecord } from '../../kernel/events/event.sql.ts'
import { announce, eventRow } from '../../kernel/events/events.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import type { EventType } from '../../kernel/nouns/events.ts'
import { companyEvents } from '../companies/row.ts'
import { contactEvents } from '../contact/row.ts'
import { dealEvents } from '../deals/row.ts'
import {
  deleteSampleCompanies,
  deleteSampleContacts,
  deleteSampleDeals,
  lockSampleCompanies,
  lockSampleContacts,
  lockSampleDeals,
} from './remove.sql.ts'

/** Locks the contacts that may go: the others were merged with a person's own. Resolves with their ids. */
export async function lockSample({ db }: Context, orgId: string, ids: readonly string[]): Promise<string[]> {
  return (await db.query(lockSampleContacts, [orgId, ids])).map(({ id }) => id)
}

export interface SampleRecords {
  contactIds: readonly string[]
  companyIds: readonly string[]
  dealIds: readonly string[]
}

/** Deletes contacts that `lockSample` has locked, the deals, and the companies, except those that a person's own contacts or deals have. */
export async function deleteSample(context: Context, orgId: string, { contactIds, companyIds, dealIds }: SampleRecords): Promise<void> {
  const { db } = context
  const deals = await db.query(lockSampleDeals, [orgId, dealIds])
  await remove(context, orgId, { events: dealEvents, removal: deleteSampleDeals }, deals)
  const companies = await db.query(lockSampleCompanies, [orgId, contactIds, companyIds])
  const contacts = contactIds.map(id => ({ id }))
  await remove(context, orgId, { events: contactEvents, removal: deleteSampleContacts }, contacts)
  await remove(context, orgId, { events: companyEvents, removal: deleteSampleCompanies }, companies)
  await announce(context)
}

interface Removed {
  events: { deleted: EventType }
  removal: Statement<never>
}

async function remove(context: Context, orgId: string, { events, removal }: Removed, found: readonly { id: string }[]): Promise<void> {
  if (found.length === 0) return
  const records = found.map(({ id }) =>
    eventRecord(
      eventRow(context, { type: events.deleted, entityId: id, orgId, ...(events.deleted === contactEvents.deleted && { contactId: id }) }),
    ),
  )
  await context.db.query(removal, [orgId, found.map(({ id }) => id), storedJson(records)])
}
