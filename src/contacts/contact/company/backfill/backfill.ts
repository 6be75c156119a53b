// Makes companies of the contacts that were there before contacts had companies: a queue item works through the organizations in batches. The
// position is committed with a batch, so that a worker that is stopped or killed is continued by the next one.

import { type Context, createContext, inTransaction, type Services } from '../../../../kernel/context.ts'
import { newId } from '../../../../kernel/ids.ts'
import { storedJson } from '../../../../kernel/input/storable.ts'
import { handlerOf } from '../../../../kernel/queue/handler.ts'
import { queueItem } from '../../../../kernel/queue/item.ts'
import { findCompanies, lockNames } from '../link.sql.ts'
import type { CompanyOfContact } from '../plan.ts'
import { insertMade, backfillOperation as operation } from '../write.ts'
import { type Due, lockDue, nextContacts, setLinks, setPosition } from './backfill.sql.ts'
import { chooseCompany, domainKey, type Known, nameKey, ownDomain, type Said } from './choose.ts'

// Every five minutes, so that it begins soon after an upgrade. Without an organization to work on it costs one statement.
const backfillItem = queueItem('companies-of-contacts', {
  ...{ retryLimit: 0, retryDelaySeconds: 60, timeoutSeconds: 300, concurrency: 1, cron: '*/5 * * * *' },
})

// 500: larger batches are hardly faster, and hold their locks longer.
const batchSize = 500
// 30 s: then another item continues, so that others get their turn.
const sliceMs = 30_000
// Others may take a domain between two statements. More attempts are needed only if that happens again.
const maxAttempts = 10
const lastPass = 2
const beginning = { createdAt: '-infinity', contactId: '00000000-0000-0000-0000-000000000000' }

/** Works on batches until no organization is left, or until the end of the time slice. True if there is more to do. */
export async function makeCompaniesOfContacts(services: Services, signal?: AbortSignal): Promise<boolean> {
  const began = performance.now()
  do {
    signal?.throwIfAborted()
    if (!(await services.database.transaction(db => workOn(services, db)))) return false
  } while (performance.now() - began < sliceMs)
  return true
}

export const backfillHandler = handlerOf(backfillItem, async (services, { signal }) => {
  if (await makeCompaniesOfContacts(services, signal)) await services.queue.enqueue(backfillItem, {})
})

/** The next batch of an organization. False if none is left. */
async function workOn(services: Services, db: Context['db']): Promise<boolean> {
  const [due] = await db.query(lockDue)
  if (!due) return false
  const { orgId, pass } = due
  const principal = { kind: 'system', name: 'companies', orgId } as const
  const asked = { principal, requestId: newId(), door: 'tasks', operation, requestedOrgId: orgId } as const
  const tx = inTransaction(createContext(services, asked), db)
  const { createdAt, contactId } = due.contactId === null ? beginning : due
  const contacts = await db.query(nextContacts, [orgId, createdAt, contactId, batchSize])
  // Those with a domain first: a contact with a name alone then has the company with this name and a domain, and not one of its own.
  const open = contacts.filter(contact => contact.isOpen && (pass === lastPass || ownDomain(contact) !== null))
  if (open.length > 0) await link(tx, orgId, open)
  const last = contacts.at(-1)
  const now = tx.now().toISOString()
  if (contacts.length === batchSize && last) await db.query(setPosition, [orgId, pass, last.createdAt, last.id, now, null])
  else await db.query(setPosition, [orgId, pass + 1, null, null, now, pass === lastPass ? now : null])
  return true
}

async function link(tx: Context, orgId: Due['orgId'], contacts: readonly (Said & { id: string })[]): Promise<void> {
  for (let attempts = 0; attempts < maxAttempts; attempts++) {
    const known = await companiesFor(tx, orgId, contacts)
    const made: CompanyOfContact[] = []
    const links = contacts.flatMap(({ id, companyName, companyDomain }) => {
      const company = chooseCompany({ companyName, companyDomain }, known, made)
      return company ? [{ id, company_id: company.id, company_name: companyName, company_domain: companyDomain }] : []
    })
    const ask = { context: tx, orgId, wanted: { id: '' }, source: 'system' } as const
    // Once they are locked, no other writer of contacts makes a company of one of the names.
    if (made.length > 0 && attempts === 0) {
      const names = made.map(({ name }) => name)
      await tx.db.query(lockNames, [names.map(() => orgId), names])
    } else if (
      (
        await insertMade(
          tx,
          made.map(company => ({ ...company, ask })),
        )
      ).length === made.length
    ) {
      if (links.length > 0) await tx.db.query(setLinks, [orgId, storedJson(links)])
      return
    }
  }
  throw new Error('The companies of contacts are being made by others')
}

/** The live companies with the domains and names of the contacts. They keep both until the contacts are linked. */
async function companiesFor({ db }: Context, orgId: string, contacts: readonly Said[]): Promise<Known> {
  const keys = new Map<string, object>()
  for (const contact of contacts) {
    const [name, domain] = [contact.companyName, ownDomain(contact)]
    if (domain !== null) keys.set(domainKey(domain), { domain })
    if (name !== null) keys.set(nameKey(name), { name })
  }
  const names = [...keys.keys()]
  const found = await db.query(findCompanies, [storedJson([...keys.values()].map((key, place) => ({ place, org_id: orgId, ...key })))])
  return new Map(found.flatMap(({ place, isLocked, ...company }) => (isLocked ? [[names[place] ?? '', company]] : [])))
}
