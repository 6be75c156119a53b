// Changes of calls, read from the outbox.

import type { Context } from '../../../kernel/context.ts'
import { followOutbox, type Positioned } from '../../../kernel/events/follow.ts'
import { getCall } from '../call.ts'
import type { Call } from '../row.ts'

/** A committed event of a call. */
export interface CallChange {
  id: string
  /** `call.created`, `call.updated`, `call.ended`. */
  type: string
  callId: string
  changes: Record<string, unknown>
  createdAt: string
}

/** Every change of the organization's calls, or of one call, from now on or behind `after`. Throws NOT_FOUND if there is no such call. */
export async function followCalls(
  context: Context,
  { callId, after }: { callId?: string | null; after?: string | null },
): Promise<AsyncIterableIterator<Positioned<CallChange>>> {
  const one = callId == null ? undefined : (await getCall(context, callId)).id
  return followOutbox(context, { entities: ['call'], after }, ({ id, type, entityId, changes, createdAt }) =>
    one === undefined || entityId === one ? [{ id, type, callId: entityId, changes, createdAt }] : [],
  )
}

/** The current state of the call. */
export const callOf = (context: Context, { callId }: CallChange): Promise<Call> => getCall(context, callId)
