// Changes of calls as they happen, read from the outbox.

import { type Context, organizationOf } from '../context.ts'
import type { OutboxEvent } from '../outbox.ts'
import { getCall } from './call.ts'
import type { Call } from './call-row.ts'

/** A change that was committed: what happened to which call. */
export interface CallChange {
  /** `call.created`, `call.updated`, `call.ended`. */
  type: string
  callId: string
  changes: Record<string, unknown>
  createdAt: string
}

/** Every change of the organization's calls, or of one, from now on. Throws NOT_FOUND for a call that is not there. */
export async function followCalls(context: Context, callId?: string | null): Promise<AsyncIterableIterator<CallChange>> {
  const one = callId == null ? undefined : (await getCall(context, callId)).id
  return changesOf(await context.services.outbox.follow(organizationOf(context), context.signal), one)
}

/** The call as it is now. */
export const callOf = (context: Context, { callId }: CallChange): Promise<Call> => getCall(context, callId)

// Hands every call through, so that a reader who stops reading is heard at once, even while nothing happens.
function changesOf(events: AsyncIterableIterator<OutboxEvent>, one: string | undefined): AsyncIterableIterator<CallChange> {
  return {
    async next() {
      for (;;) {
        const { done, value } = await events.next()
        if (done) return { done, value: undefined }
        const { type, entity, entityId, changes, createdAt } = value
        if (entity === 'call' && (one === undefined || entityId === one))
          return { done: false, value: { type, callId: entityId, changes, createdAt } }
      }
    },
    async return() {
      await events.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
