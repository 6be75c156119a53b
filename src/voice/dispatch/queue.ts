// The tasks that follow a transition of a call. They are queued in its transaction.

import type { Context } from '../../kernel/context.ts'

interface Named {
  orgId: string
  id: string
}

/** Dials later. */
export const dispatchLater = (context: Context, { orgId, id: callId }: Named, startAfter: Date) =>
  context.services.queue.enqueue('call-dispatch', { orgId, callId }, { db: context.db, startAfter })

/** Asks the provider for the result of a dial. */
export const reconcileLater = (context: Context, { orgId, id: callId }: Named, seconds: number) =>
  context.services.queue.enqueue('call-reconcile', { orgId, callId }, { db: context.db, startAfter: after(context, seconds) })

/** Controls the call at the provider: ends it, or leaves a message. */
export const controlLater = (context: Context, { orgId, id: callId }: Named, act: 'hang_up' | 'leave_message', seconds = 0) =>
  context.services.queue.enqueue(
    'call-act',
    { orgId, callId, act },
    { db: context.db, ...(seconds > 0 && { startAfter: after(context, seconds) }) },
  )

/** Passes extracted values to enrichment, which makes suggestions of them. */
export const proposeValues = (context: Context, { orgId, id: callId }: Named) =>
  context.services.queue.enqueue('call-values', { orgId, callId }, { db: context.db })

const after = (context: Context, seconds: number) => new Date(context.now().getTime() + seconds * 1000)
