// The payer of an organization: the owner whose credits its API keys, hooks and agents spend. Nobody becomes it without accepting: who makes
// an organization is its payer (a trigger sees to that), and later ones say so in `acceptOwnership` or `payForOrganization`.

import type { Context } from '../../kernel/context.ts'
import { inOrder } from '../../kernel/dataloaders.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { revokeWidgetKeysOfOthers } from '../keys/widget-key.ts'
import { flagKeys, organizationEvents, selectPayers } from './organization.sql.ts'

/** The payers of organizations, in their order; null for one that nobody pays for. */
export async function payersOf(context: Context, organizationIds: readonly string[]): Promise<(string | null)[]> {
  const found = await context.db.query(selectPayers, [organizationIds])
  return inOrder(organizationIds, found, ({ id }) => id).map(row => row?.userId ?? null)
}

/**
 * Makes an owner the payer. The API keys that others made before are refused until the payer confirms them, and so is what goes on by itself
 * for one. The widget keys of others are revoked, because they are made again by a click. The caller holds the lock of the organization.
 */
export async function startPaying(context: Context, organizationId: string, userId: string): Promise<void> {
  const { prisma } = context.db
  const { payerId: before } = await prisma.organization.findUniqueOrThrow({ where: { id: organizationId }, select: { payerId: true } })
  if (before === userId) return
  await prisma.organization.update({ where: { id: organizationId }, data: { payerId: userId } })
  await context.db.query(flagKeys, [organizationId, userId, context.now().toISOString()])
  await revokeWidgetKeysOfOthers(context, organizationId, userId)
  await record(context, organizationId, [before, userId])
}

/** Ends what a user pays for the organization. Until another owner accepts, work that costs credits is refused there. */
export async function stopPaying(context: Context, organizationId: string, userId: string): Promise<void> {
  const where = { id: organizationId, payerId: userId }
  const { count } = await context.db.prisma.organization.updateMany({ where, data: { payerId: null } })
  if (count > 0) await record(context, organizationId, [userId, null])
}

const record = (context: Context, id: string, payerId: [string | null, string | null]) =>
  recordEvent(context, { type: organizationEvents.payer_changed, entityId: id, orgId: id, changes: { payerId } })
