// Mails to members about the organization's work, from their inboxes. Others may decide their text and number, so each
// recipient gets a limited number a day, and fewer at an unverified address. The rest is shown in the app alone.

import type { Context } from '../../kernel/context.ts'
import { enqueueMail } from '../mail.ts'
import { countOne, recipientOf } from '../provider/counted.ts'
import { isEmailVerified } from './user.ts'

interface Notice {
  /** The member with the address. */
  userId: string
  to: string
  subject: string
  text: string
}

/** Queues the mail in the context's transaction, unless there were too many today. */
export async function mailNotice(context: Context, { userId, to, subject, text }: Notice): Promise<void> {
  const { services, db, now } = context
  if (services.config.RATE_LIMIT) {
    const what = (await isEmailVerified(context, userId)) === false ? 'noticeUnproven' : 'notice'
    if ((await countOne({ database: db, now }, { what, who: recipientOf(to) })) !== null) return
  }
  await enqueueMail(services, { to, subject, text, isOnce: true }, db)
}
