// What a move of a call leaves to be done, queued in the move's own transaction.

import type { Context } from '../context.ts'

interface Named {
  orgId: string
  id: string
}

/** Dials when it is time: the safety net of what is done at once. */
export const dispatchLater = (context: Context, { orgId, id: callId }: Named, startAfter: Date) =>
  context.services.tasks.enqueue('call-dispatch', { orgId, callId }, { db: context.db, startAfter })

/** Asks the provider what became of a dial. */
export const reconcileLater = (context: Context, { orgId, id: callId }: Named, seconds: number) =>
  context.services.tasks.enqueue('call-reconcile', { orgId, callId }, { db: context.db, startAfter: after(context, seconds) })

/** Does something to a call at its provider. */
export const actSoon = (context: Context, { orgId, id: callId }: Named, act: 'hang_up' | 'leave_message', seconds = 0) =>
  context.services.tasks.enqueue(
    'call-act',
    { orgId, callId, act },
    { db: context.db, ...(seconds > 0 && { startAfter: after(context, seconds) }) },
  )

/** Hands what was extracted to the enrichment, which proposes it. */
export const proposeValues = (context: Context, { orgId, id: callId }: Named) =>
  context.services.tasks.enqueue('call-values', { orgId, callId }, { db: context.db })

const after = (context: Context, seconds: number) => new Date(context.now().getTime() + seconds * 1000)
