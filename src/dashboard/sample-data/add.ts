// Adds sample data in steps. Each commits with the ids of its rows, so that every process continues behind the last one, and a removal
// finds everything.

import { mayStill } from '../../identity/authentication/still-allowed.ts'
import { organizationEvents } from '../../identity/organizations/organization.sql.ts'
import { type Context, createContext, inTransaction } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { type Actor, actorOf, principalOf } from '../../kernel/principal.ts'
import { handlerOf } from '../../kernel/queue/handler.ts'
import { queueItem } from '../../kernel/queue/item.ts'
import { lockSampleData } from './sample-data.sql.ts'
import { steps } from './steps.ts'

interface Adding {
  orgId: string
  /** The member who adds it. */
  by: Actor
}

const item = queueItem<Adding>('sample-data', { retryLimit: 5, retryDelaySeconds: 5, timeoutSeconds: 120, concurrency: 1 })

// 15 s: the request itself has added everything by then, unless its process has died or the database is busy.
const afterMs = 15_000

/** Queues the steps, in the context's transaction. */
export const addLater = (tx: Context, orgId: string): Promise<unknown> =>
  tx.services.queue.enqueue(item, { orgId, by: actorOf(tx.principal) }, { db: tx.db, startAfter: new Date(tx.now().getTime() + afterMs) })

/** Takes the remaining steps. Ends early where the sample data was removed meanwhile. */
export async function addSteps(context: Context, orgId: string, signal?: AbortSignal): Promise<void> {
  while (await addNext(context, orgId)) signal?.throwIfAborted()
}

/** Takes the next step. False when there is none. */
function addNext(context: Context, orgId: string): Promise<boolean> {
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    await db.query(lockSampleData, [orgId])
    const before = await db.prisma.sampleData.findUnique({ where: { orgId } })
    const step = before?.nextStep == null ? undefined : steps[before.nextStep]
    if (!before || before.nextStep === null || !step) return false
    const by = actorOf(tx.principal)
    const mayAdd = by.type === 'user' && by.id !== null && (await mayStill(tx, by, orgId, 'contacts:write'))
    const added = mayAdd ? await step(tx, { ...before, userId: by.id ?? '' }) : {}
    // If the member has left, the rows that are there stay.
    const nextStep = mayAdd && before.nextStep + 1 < steps.length ? before.nextStep + 1 : null
    const ids = {
      contactIds: [...before.contactIds, ...(added.contactIds ?? [])],
      agentIds: [...before.agentIds, ...(added.agentIds ?? [])],
      companyIds: [...before.companyIds, ...(added.companyIds ?? [])],
      dealIds: [...before.dealIds, ...(added.dealIds ?? [])],
    }
    await db.prisma.sampleData.update({ where: { orgId }, data: { ...ids, nextStep } })
    if (nextStep !== null) return true
    const changes = { contacts: ids.contactIds.length, companies: ids.companyIds.length, deals: ids.dealIds.length }
    await recordEvent(tx, { type: organizationEvents.sample_data_added, entityId: orgId, orgId, changes })
    return false
  })
}

export const sampleDataHandler = handlerOf(item, (services, { id, payload: { orgId, by }, signal }) => {
  const asked = { principal: principalOf(by, orgId), requestId: id, door: 'tasks', operation: 'addSampleData' } as const
  return addSteps(createContext(services, { ...asked, requestedOrgId: orgId }), orgId, signal)
})
