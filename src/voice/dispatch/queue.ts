// The queue items that follow a transition of a call. They are queued in its transaction.

import type { Context } from '../../kernel/context.ts'
import { queueItem } from '../../kernel/queue/item.ts'

interface Named {
  orgId: string
  id: string
}

interface NamedCall {
  orgId: string
  callId: string
}

const settings = { retryLimit: 3, timeoutSeconds: 60, concurrency: 4 }

/** Dials a call that was scheduled, or that its provider could not take. */
export const dispatchItem = queueItem<NamedCall>('call-dispatch', { ...settings, retryDelaySeconds: 2, concurrency: 2 })

/** Asks the provider about a call whose dial request got no answer. */
export const reconcileItem = queueItem<NamedCall>('call-reconcile', { ...settings, retryDelaySeconds: 5 })

/** Ends a call at the provider, or leaves a message on an answering machine. */
export const controlItem = queueItem<NamedCall & { act: 'hang_up' | 'leave_message' }>('call-act', {
  ...settings,
  retryLimit: 5,
  retryDelaySeconds: 2,
})

/** Creates suggestions for the contact from the fields extracted from a call. Enrichment works on it. */
export const valuesItem = queueItem<NamedCall>('call-values', {
  ...settings,
  retryLimit: 4,
  retryDelaySeconds: 5,
  concurrency: 16,
  batchSize: 8,
})

/** Dials later. */
export const dispatchLater = (context: Context, { orgId, id: callId }: Named, startAfter: Date) =>
  context.services.queue.enqueue(dispatchItem, { orgId, callId }, { db: context.db, startAfter })

/** Asks the provider for the result of a dial. */
export const reconcileLater = (context: Context, { orgId, id: callId }: Named, seconds: number) =>
  context.services.queue.enqueue(reconcileItem, { orgId, callId }, { db: context.db, startAfter: after(context, seconds) })

/** Controls the call at the provider: ends it, or leaves a message. */
export const controlLater = (context: Context, { orgId, id: callId }: Named, act: 'hang_up' | 'leave_message', seconds = 0) =>
  context.services.queue.enqueue(
    controlItem,
    { orgId, callId, act },
    { db: context.db, ...(seconds > 0 && { startAfter: after(context, seconds) }) },
  )

/** Passes extracted values to enrichment, which makes suggestions of them. */
export const proposeValues = (context: Context, { orgId, id: callId }: Named) =>
  context.services.queue.enqueue(valuesItem, { orgId, callId }, { db: context.db })

const after = (context: Context, seconds: number) => new Date(context.now().getTime() + seconds * 1000)
