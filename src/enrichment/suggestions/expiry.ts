// Expires pending suggestions.

import { createContext, inTransaction, type Services } from '../../kernel/context.ts'
import { type NewEvent, recordEvents } from '../../kernel/events/events.ts'
import { handlerOf } from '../../kernel/queue/handler.ts'
import { queueItem } from '../../kernel/queue/item.ts'
import { recordIdsOf } from '../targets/record.ts'
import { expireBatch, expirePending, suggestionEvents } from './suggestion.sql.ts'

/** Expires all pending suggestions past `expires_at`. Resolves with their number. */
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
      const rows = await tx.query(expirePending, [services.now().toISOString()])
      const events = rows.map(
        ({ id, orgId, field, ...ids }): NewEvent => ({
          type: suggestionEvents.expired,
          entityId: id,
          ...recordIdsOf(ids),
          orgId,
          changes: { field },
        }),
      )
      await recordEvents(inTransaction(context, tx), events)
      return rows.length
    })
    total += expired
    if (expired < expireBatch) return total
  }
}

export const expiryHandler = handlerOf(
  queueItem('suggestion-expiry', { retryLimit: 2, retryDelaySeconds: 60, timeoutSeconds: 300, concurrency: 1, cron: '*/5 * * * *' }),
  (services, { signal }) => expireSuggestions(services, signal),
)
