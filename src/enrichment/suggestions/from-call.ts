// Creates suggestions for a contact from the values extracted from a call.

import type { Queries } from '../../database/queries.ts'
import { inOneTransaction, type RuleCall, type RuleOfMany, together } from '../../kernel/batching/together.ts'
import { createContext, organizationOf, type Services } from '../../kernel/context.ts'
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
export function suggestFromCall(services: Services, { orgId, callId }: EndedCall): Promise<number> {
  const context = createContext(services, {
    principal: { kind: 'system', name: 'voice', orgId },
    requestId: `call-${callId}`,
    door: 'tasks',
    operation: 'callValues',
  })
  // One batch at a time, which fills while the one before is written.
  return together(context, suggestFromCalls, callId, { per: 'process' })
}

export const callValuesHandler = handlerOf(valuesItem, (services, { payload }) => suggestFromCall(services, payload))

const suggestFromCalls: RuleOfMany<string, number> = asked =>
  inOneTransaction(asked, async (all, { db }) => {
    // The end of a call and a later report of it may queue an item each. At the same time, both would find no suggestion yet. Of several items
    // in one batch, the first makes them.
    const firsts = new Map(all.toReversed().map(one => [one.input, one]))
    await db.query(lockTargets, [[...firsts.keys()].map(callId => `call ${callId}`).toSorted()])
    const found = await findingsOfCalls(db, firsts)
    const written = await writeSuggestions(found)
    const counts = new Map(found.map(({ context }, index) => [context, written[index] ?? 0]))
    return all.map(({ context }) => counts.get(context) ?? 0)
  })

/** The suggestions to write for calls whose contacts exist and that have no suggestions yet. */
async function findingsOfCalls(db: Queries, calls: ReadonlyMap<string, RuleCall<string>>): Promise<NewFindings[]> {
  const orgIds = [...calls.values()].map(({ context }) => organizationOf(context))
  const rows = await db.query(callsWithValues, [orgIds, [...calls.keys()]])
  return rows.flatMap(({ id: callId, orgId, contactId, hasSuggestions, ...values }): NewFindings[] => {
    const context = calls.get(callId)?.context
    if (!context || contactId === null || hasSuggestions) return []
    const observedAt = context.now().toISOString()
    return [
      {
        ...{ context, orgId, jobId: null, callId, record: { noun: 'contact', row: { id: contactId } } },
        target: { hostApp: ownApp, id: contactId, kind: 'contact' },
        findings: findingsOf(values).map(finding => ({ ...finding, step: 'call', provider: 'calls', observedAt })),
        rules: { expiresAfterDays: 30, autoApply: null },
      },
    ]
  })
}
