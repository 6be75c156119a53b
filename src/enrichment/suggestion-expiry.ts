// Suggestions that nobody decided expire.

import { createContext, inTransaction, type Services } from '../context.ts'
import { statement } from '../database/client.ts'
import { recordEvents } from './events-of-many.ts'

const slice = 500
const expire = statement<{ id: string; orgId: string; contactId: string | null; field: string }>(
  'suggestions_expire',
  `update suggestions set status = 'expired', decided_at = $1::timestamptz, updated_at = $1::timestamptz, decided_by_type = 'system',
     decided_by_name = 'enrichment'
   where id in (select id from suggestions where status = 'pending' and expires_at <= $1::timestamptz order by expires_at limit ${slice} for update skip locked)
   returning id, org_id as "orgId", contact_id as "contactId", field`,
)

/** Expires what is due; resolves with the number. */
export async function expireSuggestions(services: Services, signal?: AbortSignal): Promise<number> {
  const context = createContext(services, {
    principal: { kind: 'system', name: 'enrichment', orgId: null },
    requestId: 'suggestion-expiry',
    door: 'tasks',
    operation: 'expireSuggestions',
  })
  for (let total = 0; ; ) {
    signal?.throwIfAborted()
    const expired = await services.database.transaction(async tx => {
      const rows = await tx.query(expire, [services.now().toISOString()])
      const events = rows.map(({ id, orgId, contactId, field }) => ({
        type: 'suggestion.expired',
        entityId: id,
        contactId,
        orgId,
        changes: { field },
      }))
      await recordEvents(inTransaction(context, tx), events)
      return rows.length
    })
    total += expired
    if (expired < slice) return total
  }
}
