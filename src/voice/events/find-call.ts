// Finds the call that a message of a provider is about, by our id or by the provider's.

import { batcherPerKey } from '../../kernel/batching/batcher-per-key.ts'
import type { Services } from '../../kernel/context.ts'
import { inOrder } from '../../kernel/dataloaders.ts'
import { isId } from '../../kernel/ids.ts'
import { perObject } from '../../kernel/per-object.ts'
import { callByProviderId, callsOfProvider } from '../calls/call.sql.ts'
import type { ProviderEvent, ProviderName } from '../providers/telephony.ts'

export interface FoundCall {
  id: string
  orgId: string
}

/** The call that the event is about; null for one that is not ours. */
export async function findCall(
  services: Services,
  provider: ProviderName,
  { callId, providerCallId }: ProviderEvent,
): Promise<FoundCall | null> {
  const own = callId === null ? null : await ownCall(services, provider, callId)
  if (own) return own
  const [theirs] = providerCallId === null ? [] : await services.database.query(callByProviderId, [provider, providerCallId])
  return theirs ?? null
}

/** The provider's call with this id of ours. */
export async function ownCall({ database }: Services, provider: ProviderName, callId: string) {
  return isId(callId) ? finderOf(database).send(provider, callId.toLowerCase()) : null
}
const finderOf = perObject((database: Services['database']) =>
  batcherPerKey(async (provider: ProviderName, ids: readonly string[]) =>
    inOrder(ids, await database.query(callsOfProvider, [ids, provider]), ({ id }) => id),
  ),
)
