// Invitations by mail: only a user who receives the mail, or has verified its address, can accept them. Listed, sent again and revoked.

import { z } from 'zod'
import type { Invitation as InvitationRow } from '../../generated/prisma/client.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { inOrder } from '../../kernel/dataloaders.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { valueError } from '../../kernel/input/problem.ts'
import type { EventType } from '../../kernel/nouns/events.ts'
import { isAtLeast, type Role } from '../../kernel/principal.ts'
import { type Manager, managing } from '../organizations/membership.ts'
import { roleNamed } from '../organizations/organization.ts'
import { invitationEvents, newToken, openAt, requireRoomForInvitation } from './invitation.ts'
import { mailInvitation, requireRoomForMail } from './mail.ts'

/** An invitation as the organization's owners and admins see it. */
export interface Invitation extends Omit<InvitationRow, 'tokenHash' | 'role'> {
  role: Role
  /** Set only while an invitation is created without mail. */
  token?: string
}

const address = z.email().max(320)

/**
 * Invites the person with an email address, with at most the caller's role. Throws INVALID, FORBIDDEN, RATE_LIMITED, and CONFLICT for a
 * member or an address with an open invitation.
 */
export function inviteMember(context: Context, { email: given, role }: { email: string; role: Role }): Promise<Invitation> {
  const email = given.trim().toLowerCase()
  if (!address.safeParse(email).success) throw invalid(valueError('email', 'is not an email address, such as ada@example.com', given))
  return managing(context, organizationOf(context), 'admin', async manager => {
    requireAllowed(manager, role)
    const { context: inside, organizationId, userId } = manager
    const { prisma } = inside.db
    const now = inside.now()
    const isOpen = await prisma.invitation.findFirst({ where: { organizationId, email, ...openAt(now) }, select: { id: true } })
    if (isOpen)
      throw new AppError(
        'CONFLICT',
        `${email} is invited already; send the mail again with resendInvitation(input: { id: "${isOpen.id}" })`,
      )
    const user = { email: { equals: email.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' as const } }
    if (await prisma.membership.findFirst({ where: { organizationId, user }, select: { userId: true } }))
      throw new AppError('CONFLICT', `${email} is a member already; change the role with changeMemberRole`)
    await requireRoomForInvitation(inside, organizationId)
    await requireRoomForMail(inside, { organizationId, email })
    const { token, ...fresh } = newToken(now)
    const data = { id: newId(), organizationId, email, role, invitedById: userId, createdAt: now, sentAt: now, ...fresh }
    const row = await prisma.invitation.create({ data, omit: { tokenHash: true } })
    await record(inside, invitationEvents.created, row)
    await mailInvitation(inside, row, token)
    return asInvitation(row)
  })
}

/**
 * Sends the mail again with a new link, which replaces the earlier one. Throws NOT_FOUND, FORBIDDEN, RATE_LIMITED, and CONFLICT for an
 * invitation without mail.
 */
export function resendInvitation(context: Context, id: string): Promise<Invitation> {
  return managing(context, organizationOf(context), 'admin', async manager => {
    const { context: inside } = manager
    const found = await openNamed(manager, id)
    const now = inside.now()
    if (found.email === null) throw new AppError('CONFLICT', 'The invitation was not sent by mail; revoke it and make another')
    await requireRoomForMail(inside, { organizationId: found.organizationId, email: found.email })
    const { token, ...fresh } = newToken(now)
    const data = { ...fresh, sentAt: now }
    const row = await inside.db.prisma.invitation.update({ where: { id: found.id }, data, omit: { tokenHash: true } })
    await record(inside, invitationEvents.resent, row)
    await mailInvitation(inside, row, token)
    return asInvitation(row)
  })
}

/** Throws NOT_FOUND for an invitation that is not open, and FORBIDDEN for one with a role above the caller's. */
export function revokeInvitation(context: Context, id: string): Promise<Invitation> {
  return managing(context, organizationOf(context), 'admin', async manager => {
    const { context: inside } = manager
    const found = await openNamed(manager, id)
    const row = await inside.db.prisma.invitation.update({
      where: { id: found.id },
      data: { revokedAt: inside.now() },
      omit: { tokenHash: true },
    })
    await record(inside, invitationEvents.revoked, row)
    return asInvitation(row)
  })
}

/** The organization's open invitations, newest first. Not paged, because their number is limited. */
export async function listInvitations(context: Context): Promise<Invitation[]> {
  const rows = await context.db.prisma.invitation.findMany({
    where: { organizationId: organizationOf(context), invitedById: { not: null }, ...openAt(context.now()) },
    omit: { tokenHash: true },
    orderBy: { id: 'desc' },
  })
  return rows.map(asInvitation)
}

export async function loadInvitations(context: Context, ids: readonly string[]): Promise<(Invitation | null)[]> {
  const where = { id: { in: [...ids] }, organizationId: organizationOf(context), invitedById: { not: null } }
  const rows = await context.db.prisma.invitation.findMany({ where, omit: { tokenHash: true } })
  return inOrder(ids, rows.map(asInvitation), ({ id }) => id)
}

type Row = Omit<InvitationRow, 'tokenHash'>

const asInvitation = (row: Row): Invitation => ({ ...row, role: roleNamed(row.role) })

async function openNamed(manager: Manager, id: string): Promise<Row> {
  const { context, organizationId } = manager
  const where = { id, organizationId, invitedById: { not: null }, ...openAt(context.now()) }
  const found = isId(id) ? await context.db.prisma.invitation.findFirst({ where, omit: { tokenHash: true } }) : null
  if (!found) throw notFound('open invitation', id)
  requireAllowed(manager, roleNamed(found.role))
  return found
}

function requireAllowed({ role: own }: Manager, role: Role): void {
  if (!isAtLeast(own, role)) throw new AppError('FORBIDDEN', 'Only an owner of the organization invites owners')
}

async function record(context: Context, type: EventType, { id, organizationId, email, role }: Row): Promise<void> {
  await recordEvent(context, { type, entityId: id, orgId: organizationId, changes: { email, role } })
}
