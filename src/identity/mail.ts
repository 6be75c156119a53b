// E-mails: queued with an encrypted text, which may contain a sign-in link, and sent by SMTP if a server is configured. Without one they are
// printed in the log, so that sign-in by link works in development.

import type { Transporter } from 'nodemailer'
import type { Queries } from '../database/client.ts'
import type { Services } from '../kernel/context.ts'
import { decrypt, encrypt, isEncrypted } from '../kernel/crypto/encrypt.ts'
import { perObject } from '../kernel/per-object.ts'
import { handlerOf } from '../kernel/queue/handler.ts'
import { queueItem } from '../kernel/queue/item.ts'

interface Mail {
  to: string
  subject: string
  text: string
}

export const mailItem = queueItem<Mail>('mail', { retryLimit: 4, retryDelaySeconds: 5, timeoutSeconds: 60, concurrency: 2 })

/**
 * Queues an e-mail, in the transaction `db` if given. In the queue's tables, dead items included, the recipient and the subject are
 * readable, the text is not.
 */
export async function enqueueMail({ config, queue }: Services, mail: Mail, db?: Queries): Promise<void> {
  await queue.enqueue(mailItem, { ...mail, text: encrypt(mail.text, secretOf(config)) }, db && { db })
}

export const mailHandler = handlerOf(mailItem, async (services, { payload: { to, subject, text: queued } }) => {
  const { config, log } = services
  // Throws when the server's secret has changed since the mail was queued.
  const text = isEncrypted(queued) ? decrypt(queued, secretOf(config)) : queued
  if (!config.SMTP_URL) return log.info({ to, subject, text }, 'no SMTP_URL is set, so this e-mail is only printed')
  await (await transportOf(services)).sendMail({ from: config.MAIL_FROM, to, subject, text })
})

// Loaded with the first e-mail, because it is large and most processes send none.
const transportOf = perObject(
  async ({ config }: Services): Promise<Transporter> => (await import('nodemailer')).createTransport(config.SMTP_URL),
)

// With an outside identity provider IDENTITY_SECRET is not used, and differs between processes.
const secretOf = ({ IDENTITY_ISSUER, SVC_SERVICES_TOKEN, IDENTITY_SECRET }: Services['config']) =>
  `mail ${(IDENTITY_ISSUER ? SVC_SERVICES_TOKEN : IDENTITY_SECRET) ?? ''}`
