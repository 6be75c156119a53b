// Creates suggestions for a contact from the values extracted from a call.

import { contactAt } from '../../contacts/contact/contact.sql.ts'
import { createContext, inTransaction, type Services } from '../../kernel/context.ts'
import { findingsOf } from '../providers/calls.ts'
import { ownApp } from '../targets/target.ts'
import { callWithValues, lockTargets } from './suggestion.sql.ts'
import { writeSuggestions } from './write.ts'

/** Creates the call's suggestions once. Resolves with their number, 0 if the call already has suggestions. */
export async function suggestFromCall(services: Services, { orgId, callId }: { orgId: string; callId: string }): Promise<number> {
  const context = createContext(services, {
    principal: { kind: 'system', name: 'voice', orgId },
    requestId: `call-${callId}`,
    door: 'tasks',
    operation: 'callValues',
  })
  return services.database.transaction(async tx => {
    const inside = inTransaction(context, tx)
    // The end of a call and a later report of it may queue a task each. At the same time, both would find no suggestion yet.
    await tx.query(lockTargets, [[`call ${callId}`]])
    const [call] = await tx.query(callWithValues, [orgId, callId])
    if (!call?.contactId || call.hasSuggestions) return 0
    const contact = await contactAt(inside, orgId, call.contactId)
    if (!contact || contact.deletedAt !== null) return 0
    const target = { hostApp: ownApp, id: contact.id, kind: 'contact' }
    const observedAt = inside.now().toISOString()
    const findings = findingsOf(call).map(finding => ({ ...finding, step: 'call', provider: 'calls', observedAt }))
    const rules = { expiresAfterDays: 30, autoApply: null }
    const [written = 0] = await writeSuggestions([{ context: inside, orgId, target, jobId: null, callId, contact, findings, rules }])
    return written
  })
}
