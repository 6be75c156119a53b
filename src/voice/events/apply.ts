// Applies a provider's event to its call.

import type { Services } from '../../kernel/context.ts'
import { storableText } from '../../kernel/input/storable.ts'
import { changeCall } from '../dispatch/dispatch.ts'
import type { ProviderEvent } from '../providers/telephony.ts'
import { systemContext } from '../system-context.ts'
import type { FoundCall } from './find-call.ts'
import { type Reception, type Settled, type StoredMessage, storeMessages } from './news.ts'

/**
 * Stores an event and applies it to its call, in one transaction with the call locked: its unique key decides which of two equal events is
 * applied. Where it cannot be applied now, stores it as `failed`.
 */
export async function apply(services: Services, event: ProviderEvent, found: FoundCall | null, message: StoredMessage): Promise<Reception> {
  const { database, log, now } = services
  const store = async (state: Settled['state'], note: string): Promise<Reception> => {
    const [reception] = await storeMessages(database, now(), [{ message, state, note }])
    return reception ?? state
  }
  if (!found || event.news === null) return store('ignored', 'no call of ours')
  try {
    const context = systemContext(services, found.orgId, 'recordProviderEvent')
    const news = { providerCallId: event.providerCallId ?? undefined, ...event.news }
    const changed = await changeCall(context, found.id, { news, message })
    // The call has been deleted meanwhile.
    return changed?.reception ?? (await store('ignored', 'no call of ours'))
  } catch (error) {
    // A dry run returns the error to its caller.
    if (database.inTransaction) throw error
    log.error({ err: error, key: event.key }, 'a provider event could not be applied; it will be tried again')
    return store('failed', noteOf(error))
  }
}

/** Why an event could not be applied, for its row. */
export const noteOf = (error: unknown): string => storableText(error instanceof Error ? error.message : String(error), { maxLength: 1000 })
