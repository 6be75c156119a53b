// Deletes the calls of sample data for good, and its agents unless a person has called with them.

import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvents } from '../../kernel/events/events.ts'
import { agentEvents } from '../agents/write.ts'
import { deleteSampleAgents, deleteSampleCalls, forgetSampleDeals, selectActiveSampleCalls } from './remove.sql.ts'

/** Throws CONFLICT while a call is under way. */
export async function deleteSampleVoice(
  context: Context,
  orgId: string,
  { contactIds, agentIds, dealIds }: Readonly<Record<'contactIds' | 'agentIds' | 'dealIds', readonly string[]>>,
): Promise<void> {
  const [active] = await context.db.query(selectActiveSampleCalls, [orgId, contactIds, agentIds])
  if (active) throw new AppError('CONFLICT', 'A call of the sample data is under way: remove it when the call has ended')
  await context.db.query(deleteSampleCalls, [orgId, contactIds])
  await context.db.query(forgetSampleDeals, [orgId, dealIds])
  const agents = await context.db.query(deleteSampleAgents, [orgId, agentIds])
  await recordEvents(
    context,
    agents.map(({ id, status }) => ({ type: agentEvents.archived, entityId: id, changes: { status: [status, 'archived'] } })),
  )
}
