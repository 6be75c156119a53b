// Contacts follow their companies: a change of a company's name or first domain changes its contacts, too.

import { type Context, createContext, inTransaction, type Services } from '../../../kernel/context.ts'
import { eventRecord } from '../../../kernel/events/event.sql.ts'
import { announce, eventRow } from '../../../kernel/events/events.ts'
import { newId } from '../../../kernel/ids.ts'
import { storedJson } from '../../../kernel/input/storable.ts'
import { bulkOperation } from '../../../kernel/nouns/events.ts'
import { type Actor, actorOf, principalOf } from '../../../kernel/principal.ts'
import { handlerOf } from '../../../kernel/queue/handler.ts'
import { queueItem, type RunningItem } from '../../../kernel/queue/item.ts'
import { differences, searchTextOf } from '../apply.ts'
import { updateContactRows, updated } from '../contact.sql.ts'
import { type Contact, contactEvents } from '../row.ts'
import { countBehind, keepCompanies, lockBehind, lockBehindFree } from './follow.sql.ts'
import type { CompanyOfContact } from './plan.ts'

interface Followed {
  orgId: string
  companyIds: readonly string[]
  /** The actor who changed the companies. */
  actor: Actor
}

const followItem = queueItem<Followed>('contacts-follow-companies', {
  ...{ retryLimit: 8, retryDelaySeconds: 2, timeoutSeconds: 300, concurrency: 2, perOrganization: 1 },
})
const followOperation = bulkOperation('followCompanies', 'contact')

// 200: a writer of a company waits some 100 ms for them. More follow in the queue.
const maxAtOnce = 200
// 500: larger batches are hardly faster, and hold their locks longer.
const batchSize = 500
// 30 s: then another item continues, so that others get their turn.
const sliceMs = 30_000

/**
 * Gives the contacts of changed companies their values, in the transaction of the change: all of them where they are few, and otherwise by a
 * queue item. It waits for no contact, whose writer may wait for the company: those that are being written follow by the item, too.
 */
export async function followCompanies(tx: Context, orgId: string, companies: readonly CompanyOfContact[]): Promise<void> {
  if (companies.length === 0) return
  const values = valuesOf(orgId, companies)
  const [{ total } = { total: 0 }] = await tx.db.query(countBehind, [...values, maxAtOnce + 1])
  if (total === 0) return
  const found = total > maxAtOnce ? [] : await tx.db.query(lockBehindFree, [...values, maxAtOnce])
  if (found.length > 0) await write(tx, orgId, companies, found)
  if (found.length === total) return
  const followed = { orgId, companyIds: companies.map(({ id }) => id), actor: actorOf(tx.principal) }
  await tx.services.queue.enqueue(followItem, followed, { db: tx.db })
}

const valuesOf = (orgId: string, companies: readonly CompanyOfContact[]) => [
  orgId,
  companies.map(({ id }) => id),
  companies.map(({ name }) => name),
  companies.map(({ domain }) => domain),
]

async function write(tx: Context, orgId: string, companies: readonly CompanyOfContact[], contacts: readonly Contact[]): Promise<void> {
  const companyOf = new Map(companies.map(company => [company.id, company]))
  const changes = contacts.map(contact => {
    const { name = null, domain = null } = companyOf.get(contact.companyId ?? '') ?? {}
    const fields = { ...contact, companyName: name, companyDomain: domain }
    return { contact, fields, changed: differences(contact, fields) }
  })
  const rows = changes.map(({ contact, fields }) => ({
    id: contact.id,
    ...updated.record({ ...fields, searchText: searchTextOf(fields) }),
  }))
  // Nobody is told of changes of a deleted contact.
  const events = changes
    .filter(({ contact }) => contact.deletedAt === null)
    .map(({ contact: { id }, changed }) =>
      eventRow(tx, { type: contactEvents.updated, entityId: id, contactId: id, changes: changed, orgId }),
    )
  await tx.db.query(updateContactRows, [orgId, tx.now().toISOString(), storedJson(rows), storedJson(events.map(eventRecord))])
  await announce(tx)
}

/** Writes batches until no contact has other values than its company. */
async function runFollow(services: Services, { payload, signal }: RunningItem<Followed>): Promise<void> {
  const { orgId, companyIds, actor } = payload
  const context = createContext(services, {
    ...{ principal: principalOf(actor, orgId), requestId: newId(), door: 'tasks', operation: followOperation },
    requestedOrgId: orgId,
  })
  const began = performance.now()
  for (;;) {
    signal.throwIfAborted()
    const goesOn = await context.db.transaction(async db => {
      const tx = inTransaction(context, db)
      const companies = await db.query(keepCompanies, [orgId, companyIds])
      const found = await db.query(lockBehind, [...valuesOf(orgId, companies), batchSize])
      if (found.length > 0) await write(tx, orgId, companies, found)
      return found.length === batchSize
    })
    if (!goesOn) return
    if (performance.now() - began > sliceMs) return void (await services.queue.enqueue(followItem, payload))
  }
}

export const followCompaniesHandler = handlerOf(followItem, runFollow)
