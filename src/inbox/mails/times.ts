// When mails about inbox items are sent: at once, or at the hour of the daily mail, in the member's time zone.

import type { Queries } from '../../database/client.ts'
import type { Context } from '../../kernel/context.ts'
import { zoneOfCountry } from '../../kernel/countries.ts'
import { queueItem } from '../../kernel/queue/item.ts'
import { nextOpening } from '../../voice/policy/calling-hours.ts'
import { moveWaiting } from './mails.sql.ts'

/** A member, in an organization. */
export interface Recipient {
  orgId: string
  userId: string
}

export interface MailTimes {
  /** The hour of the daily mail, in the time zone. */
  digestHour: number
  timezone: string
  /** The address of the member. Null without one. */
  mailAddress: string | null
  /** Whether the server has a mail server. Without one it sends no mails. */
  isMailSetUp: boolean
}

/** Mails the due items of a member. */
export const mailsDueItem = queueItem<Recipient>('inbox-mails', {
  retryLimit: 5,
  retryDelaySeconds: 10,
  timeoutSeconds: 60,
  concurrency: 2,
})

const defaultHour = 8
const everyDay = [1, 2, 3, 4, 5, 6, 7]

export async function mailTimesOf(context: Context, person: Recipient): Promise<MailTimes> {
  const { hour, timezone } = await timesOf(context.db, person, context.now())
  const user = await context.db.prisma.user.findUnique({ where: { id: person.userId }, select: { email: true } })
  return { digestHour: hour, timezone, mailAddress: user?.email ?? null, isMailSetUp: context.services.config.SMTP_URL !== undefined }
}

/** The time of the member's next daily mail. */
export async function nextDigest(db: Queries, person: Recipient, now: Date): Promise<Date> {
  const { hour, timezone } = await timesOf(db, person, now)
  const clock = String(hour).padStart(2, '0')
  return nextOpening({ from: `${clock}:00`, until: `${clock}:01`, days: everyDay }, timezone, now) ?? now
}

/** Gives what waits for the daily mail its new time, in the context's transaction. */
export async function rescheduleDigest({ db, services, now }: Context, person: Recipient): Promise<void> {
  const at = await nextDigest(db, person, now())
  const moved = await db.query(moveWaiting, [person.orgId, person.userId, now().toISOString(), at.toISOString()])
  if (moved.length > 0) await services.queue.enqueue(mailsDueItem, person, { db, startAfter: at })
}

async function timesOf(db: Queries, { orgId, userId }: Recipient, now: Date): Promise<{ hour: number; timezone: string }> {
  const { prisma } = db
  const digest = await prisma.inboxDigest.findUnique({ where: { userId_orgId: { userId, orgId } } })
  const chosen = await prisma.userPreferences.findUnique({ where: { userId }, select: { timezone: true } })
  const organization = await prisma.organization.findUnique({ where: { id: orgId }, select: { country: true } })
  const timezone = chosen?.timezone ?? zoneOfCountry(organization?.country ?? null, now) ?? 'UTC'
  return { hour: digest?.hour ?? defaultHour, timezone }
}
