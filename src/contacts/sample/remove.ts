// Deletes the contacts of sample data for good, with their notes and tasks.

import type { Context } from '../../kernel/context.ts'
import { eventRecord } from '../../kernel/events/event.sql.ts'
import { announce, eventRow } from '../../kernel/events/events.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { companyEvents } from '../companies/row.ts'
import { contactEvents } from '../contact/row.ts'
import { deleteSampleCompanies, deleteSampleContacts, lockSampleCompanies, lockSampleContacts } from './remove.sql.ts'

/** Locks the contacts that may go: the others were merged with a person's own. Resolves with their ids. */
export async function lockSample({ db }: Context, orgId: string, ids: readonly string[]): Promise<string[]> {
  return (await db.query(lockSampleContacts, [orgId, ids])).map(({ id }) => id)
}

/** Deletes contacts that `lockSample` has locked, and the companies that came with them. */
export async function deleteSample(context: Context, orgId: string, ids: readonly string[]): Promise<void> {
  const companyIds = (await context.db.query(lockSampleCompanies, [orgId, ids])).map(({ id }) => id)
  const events = ids.map(id => eventRecord(eventRow(context, { type: contactEvents.deleted, entityId: id, contactId: id, orgId })))
  await context.db.query(deleteSampleContacts, [orgId, ids, storedJson(events)])
  if (companyIds.length > 0) {
    const ofCompanies = companyIds.map(id => eventRecord(eventRow(context, { type: companyEvents.deleted, entityId: id, orgId })))
    await context.db.query(deleteSampleCompanies, [orgId, companyIds, storedJson(ofCompanies)])
  }
  await announce(context)
}
