// Creates suggestions for a contact from the values extracted from a call.

import { batcher } from '../../database/batcher.ts'
import type { Queries } from '../../database/queries.ts'
import { createContext, inTransaction, type Services } from '../../kernel/context.ts'
import { perObject } from '../../kernel/per-object.ts'
import { handlerOf } from '../../kernel/queue/handler.ts'
import { valuesItem } from '../../voice/dispatch/queue.ts'
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

export const callValuesHandler = handlerOf(valuesItem, (services, { payload }) => suggestFromCall(services, payload))

// Calls that end at the same time share a transaction. One batch at a time, which fills while the one before is written.
const batcherOf = perObject((services: Services) =>
  batcher<EndedCall, number>(calls => suggestFromCalls(services, calls), { concurrency: 1 }),
)

function suggestFromCalls(services: Services, calls: readonly EndedCall[]): Promise<number[]> {
  return services.database.transaction(
    async tx => {
      const unique = [...new Map(calls.map(call => [call.callId, call])).values()]
      // The end of a call and a later report of it may queue an item each. At the same time, both would find no suggestion yet.
      await tx.query(lockTargets, [unique.map(({ callId }) => `call ${callId}`).toSorted()])
      const found = await findingsOfCalls(services, tx, unique)
      const written = await writeSuggestions(found)
      const counts = new Map(found.map(({ callId }, index) => [callId, written[index] ?? 0]))
      return calls.map(({ callId }) => {
        const count = counts.get(callId) ?? 0
        // Of several items for one call, the first has made them.
        counts.delete(callId)
        return count
      })
    },
    { isShared: calls.length > 1 },
  )
}

/** The suggestions to write for calls whose contacts exist and that have no suggestions yet. */
async function findingsOfCalls(services: Services, tx: Queries, calls: readonly EndedCall[]): Promise<NewFindings[]> {
  const rows = await tx.query(callsWithValues, [calls.map(({ orgId }) => orgId), calls.map(({ callId }) => callId)])
  return rows.flatMap(({ id: callId, orgId, contactId, hasSuggestions, ...values }): NewFindings[] => {
    if (contactId === null || hasSuggestions) return []
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
        ...{ orgId, jobId: null, callId, contact: { id: contactId } },
        target: { hostApp: ownApp, id: contactId, kind: 'contact' },
        findings: findingsOf(values).map(finding => ({ ...finding, step: 'call', provider: 'calls', observedAt })),
        rules: { expiresAfterDays: 30, autoApply: null },
      },
    ]
  })
}
