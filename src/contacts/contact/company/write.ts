// Writes the companies that are made for contacts, and the domains that companies get from them, with their events.

import type { Queries } from '../../../database/queries.ts'
import { type Context, inTransaction } from '../../../kernel/context.ts'
import { type NewEvent, recordEvents } from '../../../kernel/events/events.ts'
import { storedJson } from '../../../kernel/input/storable.ts'
import { bulkOperation } from '../../../kernel/nouns/events.ts'
import { actorOf } from '../../../kernel/principal.ts'
import { inserted } from '../../companies/company.sql.ts'
import { readCompany, searchTextOf, startingFrom } from '../../companies/input.ts'
import { type Company, companyEvents } from '../../companies/row.ts'
import { followCompanies } from './follow.ts'
import { fillDomains, insertCompanies } from './link.sql.ts'
import type { Filled, Made, Plan } from './plan.ts'

// Here, because the root of the schema loads this file.
/** The operation that makes companies of the contacts that were there before. */
export const backfillOperation = bulkOperation('makeCompaniesOfContacts', 'company')

/** False where others have taken a domain or changed a company meanwhile: what could be written is written, and can be found. */
export async function writePlan(tx: Context, { made, filled }: Plan): Promise<boolean> {
  const written = [...(await insertMade(tx, made)), ...(await fill(tx, filled))]
  return written.length === made.length + filled.length
}

/** Inserts companies with their events. Returns those whose domain was free. */
export async function insertMade({ db, now }: Context, made: readonly Made[]): Promise<readonly Made[]> {
  if (made.length === 0) return []
  const time = now().toISOString()
  const rows = made.map(one => newCompany(one, time)).map(company => inserted.record({ ...company, searchText: searchTextOf(company) }))
  const added = new Set((await db.query(insertCompanies, [storedJson(rows)])).map(({ id }) => id))
  const written = made.filter(({ id }) => added.has(id))
  await record(db, written, ({ id, ask }) => ({ type: companyEvents.created, ...eventOf(id, ask.orgId) }))
  return written
}

function newCompany({ id, name, domain, ask: { context, orgId, source } }: Made, time: string): Company {
  return {
    ...startingFrom(name, source, { ...readCompany({}), fields: { domain } }, null),
    ...{ id, orgId, createdBy: actorOf(context.principal), createdAt: time, updatedAt: time, deletedAt: null, version: 1 },
  }
}

async function fill(tx: Context, filled: readonly Filled[]): Promise<readonly Filled[]> {
  if (filled.length === 0) return []
  const rows = filled.map(company => {
    const { id, domain, version, ask } = company
    return { id, org_id: ask.orgId, domain, version, search_text: searchTextOf(company) }
  })
  const changed = new Set((await tx.db.query(fillDomains, [storedJson(rows), tx.now().toISOString()])).map(({ id }) => id))
  const written = filled.filter(({ id }) => changed.has(id))
  await record(tx.db, written, ({ id, domain, ask }) => ({
    ...{ type: companyEvents.updated, ...eventOf(id, ask.orgId), changes: { domain: [null, domain] } },
  }))
  for (const [orgId, ofOrganization] of Map.groupBy(written, ({ ask }) => ask.orgId)) await followCompanies(tx, orgId, ofOrganization)
  return written
}

const eventOf = (id: string, orgId: string) => ({ entityId: id, companyId: id, orgId })

/** Each event has the caller who writes the contact. */
async function record<One extends Made | Filled>(db: Queries, written: readonly One[], event: (one: One) => NewEvent): Promise<void> {
  for (const ofCaller of Map.groupBy(written, ({ ask }) => ask.context.requestId).values()) {
    const [first] = ofCaller
    if (first) await recordEvents(inTransaction(first.ask.context, db), ofCaller.map(event))
  }
}
