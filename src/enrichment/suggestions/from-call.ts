// Creates suggestions for a contact from the values extracted from a call.

import { batcher } from '../../database/batcher.ts'
import type { Queries } from '../../database/queries.ts'
import { createContext, inTransaction, type Services } from '../../kernel/context.ts'
import { inOrder } from '../../kernel/dataloaders.ts'
import { perObject } from '../../kernel/per-object.ts'
import { findingsOf } from '../providers/calls.ts'
import { ownApp } from '../targets/target.ts'
import { callsWithValues, lockTargets } from './suggestion.sql.ts'
import { type NewFindings, writeSuggestions } from './write.ts'

interface EndedCall {
  orgId: string
  callId: string
}

/** Creates the call's suggestions once. Resolves with their number, 0 if the call already has suggestions. */
export const suggestFromCall = (services: Services, call: EndedCall): Promise<number> => batcherOf(services)(call)

// Calls that end at the same time share a transaction. One batch at a time, which fills while the one before is written.
const batcherOf = perObject((services: Services) =>
  batcher<EndedCall, number>(calls => suggestFromCalls(services, calls), { concurrency: 1 }),
)

function suggestFromCalls(services: Services, calls: readonly EndedCall[]): Promise<number[]> {
  return services.database.transaction(
    async tx => {
      // The end of a call and a later report of it may queue a task each. At the same time, both would find no suggestion yet.
      const ids = [...new Set(calls.map(({ callId }) => callId))]
      await tx.query(lockTargets, [ids.map(id => `call ${id}`).toSorted()])
      const found = await findingsOfCalls(services, tx, calls)
      const written = await writeSuggestions(found)
      const counts = new Map(found.map(({ callId }, index) => [callId, written[index] ?? 0]))
      // Of several tasks for one call, the first has made them.
      return calls.map(({ callId }, index) => (calls.findIndex(call => call.callId === callId) === index ? (counts.get(callId) ?? 0) : 0))
    },
    { isShared: calls.length > 1 },
  )
}

/** What is to be written for the calls whose contacts are there, and that have no suggestions yet. Each call once. */
async function findingsOfCalls(services: Services, tx: Queries, calls: readonly EndedCall[]): Promise<NewFindings[]> {
  const unique = [...new Map(calls.map(call => [call.callId, call])).values()]
  const columns = [unique.map(({ orgId }) => orgId), unique.map(({ callId }) => callId)]
  const rows = inOrder(columns[1] ?? [], await tx.query(callsWithValues, columns), ({ id }) => id)
  return unique.flatMap(({ orgId, callId }, index): NewFindings[] => {
    const call = rows[index]
    if (!call || call.contactId === null || call.hasSuggestions) return []
    const context = createContext(services, {
      principal: { kind: 'system', name: 'voice', orgId },
      requestId: `call-${callId}`,
      door: 'tasks',
      operation: 'callValues',
    })
    const observedAt = context.now().toISOString()
    return [
      {
        context: inTransaction(context, tx),
        ...{ orgId, jobId: null, callId, contact: { id: call.contactId } },
        target: { hostApp: ownApp, id: call.contactId, kind: 'contact' },
        findings: findingsOf(call).map(finding => ({ ...finding, step: 'call', provider: 'calls', observedAt })),
        rules: { expiresAfterDays: 30, autoApply: null },
      },
    ]
  })
}
