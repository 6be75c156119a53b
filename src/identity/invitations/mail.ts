// The mail of an invitation, and how many of them an organization may send and an address receive.

import type { Invitation } from '../../generated/prisma/client.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { enqueueMail, plain } from '../mail.ts'
import { lockInvitedAddress } from '../organizations/organization.sql.ts'
import { recipientOf } from '../provider/counted.ts'
import { isEmailVerified } from '../users/user.ts'
import { claimAddress } from './invitation.ts'

type Mailed = Pick<Invitation, 'email' | 'organizationId' | 'role' | 'invitedById'>

// A minute: a second mail is not sent by a double click, nor by inviting and revoking in turns.
const minuteMs = 60_000
const dayMs = 86_400_000

/**
 * Throws RATE_LIMITED when the organization has mailed this address within a minute, or as much within 24 hours as the operator's settings
 * allow. The caller holds the lock of the organization. All processes count the same rows.
 */
export async function requireRoomForMail(context: Context, { organizationId, email }: { organizationId: string; email: string }) {
  const { INVITATION_MAILS_PER_DAY: perDay, INVITATION_MAILS_PER_ADDRESS: perAddress } = context.services.config
  // Other organizations may be mailing the same address.
  const recipient = recipientOf(email)
  await context.db.query(lockInvitedAddress, [recipient])
  await requireFewer(context, { organizationId, email: recipient }, 1, minuteMs, 'The mail was sent within the last minute')
  await requireFewer(
    context,
    { email: recipient },
    perAddress,
    dayMs,
    `${email} was sent ${perAddress} invitations within 24 hours (the operator's setting INVITATION_MAILS_PER_ADDRESS)`,
  )
  await requireFewer(
    context,
    { organizationId },
    perDay,
    dayMs,
    `The organization sent ${perDay} mails of invitations within 24 hours (the operator's setting INVITATION_MAILS_PER_DAY)`,
  )
}

/** Throws RATE_LIMITED until fewer than `max` mails were sent within `withinMs`. */
async function requireFewer(
  { db, now }: Context,
  which: { organizationId?: string; email?: string },
  max: number,
  withinMs: number,
  sentence: string,
): Promise<void> {
  const at = now().getTime()
  // The mail that has to become older before another one is sent.
  const limiting = await db.prisma.invitationMail.findFirst({
    where: { ...which, sentAt: { gt: new Date(at - withinMs) } },
    orderBy: { sentAt: 'desc' },
    skip: max - 1,
    select: { sentAt: true },
  })
  if (!limiting) return
  const retryAfter = Math.ceil((limiting.sentAt.getTime() + withinMs - at) / 1000)
  throw new AppError('RATE_LIMITED', `${sentence}; try again in ${durationOf(retryAfter)}`, { retryAfter })
}

const durationOf = (seconds: number) =>
  seconds <= 120 ? `${seconds} s` : seconds <= 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`

/** Queues the mail in the transaction of the invitation. Without a mail server the link is logged, like the links of the identity provider. */
export async function mailInvitation(context: Context, { email, organizationId, role, invitedById }: Mailed, token: string): Promise<void> {
  if (email === null) return
  const { services, db } = context
  await db.prisma.invitationMail.create({ data: { id: newId(), organizationId, email: recipientOf(email), sentAt: context.now() } })
  const { config, log } = services
  const url = claimAddress(config.PUBLIC_URL ?? '', token)
  if (!config.SMTP_URL) {
    await db.afterCommit(async () => log.info({ email, url }, 'the link of an invitation; no SMTP_URL is set, so it is only printed here'))
    return
  }
  const { name } = await db.prisma.organization.findUniqueOrThrow({ where: { id: organizationId } })
  const inviter = invitedById === null ? null : await nameForMail(context, invitedById)
  const text = [
    `${inviter ?? 'Somebody'} invites you to "${plain(name)}" on Rolocom, as ${role === 'owner' || role === 'admin' ? 'an' : 'a'} ${role}.`,
    'Open this link within 7 days to sign up, or to sign in if you have an account. It works once, and for this address alone:',
    url,
    'If you do not expect it, ignore this mail.',
  ]
  await enqueueMail(services, { to: email, subject: 'An invitation to Rolocom', text: text.join('\n\n') }, db)
}

async function nameForMail(context: Context, userId: string): Promise<string | null> {
  const user = await context.db.prisma.user.findUnique({ where: { id: userId } })
  if (user?.name) return plain(user.name)
  // An address that is not verified is only what somebody typed. An outside provider vouches for its own.
  return user?.email && (await isEmailVerified(context, userId)) !== false ? user.email : null
}
