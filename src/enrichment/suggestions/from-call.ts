// What was said in a call, as suggestions about the contact.

import { loadContacts } from '../contacts/contact.ts'
import { createContext, inTransaction, type Services } from '../context.ts'
import { statement } from '../database/client.ts'
import { load } from '../load.ts'
import { findingsOf, selectCall } from './providers/calls.ts'
import { writeSuggestions } from './suggestion-write.ts'
import { ownApp } from './target.ts'

const hasSuggestions = statement<{ id: string }>('call_has_suggestions', 'select id from suggestions where call_id = $1 limit 1')

/** Reads a call once; resolves with the number of suggestions. */
export async function suggestFromCall(services: Services, { orgId, callId }: { orgId: string; callId: string }): Promise<number> {
  const context = createContext(services, {
    principal: { kind: 'system', name: 'voice', orgId },
    requestId: `call-${callId}`,
    door: 'tasks',
    operation: 'callValues',
  })
  return services.database.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const [call] = await tx.query(selectCall, [orgId, callId])
    if (!call?.contactId || (await tx.query(hasSuggestions, [callId])).length > 0) return 0
    const contact = await load(inside, loadContacts, call.contactId)
    if (!contact || contact.deletedAt !== null) return 0
    const target = { hostApp: ownApp, id: contact.id, kind: 'contact' }
    const observedAt = inside.now().toISOString()
    const findings = findingsOf(call).map(finding => ({ ...finding, step: 'call', provider: 'calls', observedAt }))
    const rules = { expiresAfterDays: 30, autoApply: null }
    return writeSuggestions(inside, { orgId, target, jobId: null, callId, contact }, findings, rules)
  })
}
