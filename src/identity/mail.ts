// Emails: queued with an encrypted text, which may contain a sign-in link, and sent by SMTP if a server is configured. Without one they are
// printed in the log, so that sign-in by link works in development.

import { Readable } from 'node:stream'
import type { Transporter } from 'nodemailer'
import type { Queries } from '../database/client.ts'
import type { Services } from '../kernel/context.ts'
import { decrypt, encrypt, isEncrypted } from '../kernel/crypto/encrypt.ts'
import { shorten } from '../kernel/input/cut.ts'
import { perObject } from '../kernel/per-object.ts'
import { handlerOf } from '../kernel/queue/handler.ts'
import { queueItem } from '../kernel/queue/item.ts'
import { beginHandover, endHandover } from './mail.sql.ts'

interface Mail {
  to: string
  subject: string
  text: string
  /**
   * Whether it must not come twice: it is not sent again when nobody knows whether the mail server has taken it, because the process or the
   * connection ended meanwhile. Default: it is sent again, as a link to sign in should be.
   */
  isOnce?: boolean
}

export const mailItem = queueItem<Mail>('mail', { retryLimit: 4, retryDelaySeconds: 5, timeoutSeconds: 60, concurrency: 2 })

/**
 * Queues an email, in the transaction `db` if given. In the queue's tables, dead items included, the recipient and the subject are
 * readable, the text is not.
 */
export async function enqueueMail({ config, queue }: Services, mail: Mail, db?: Queries): Promise<void> {
  await queue.enqueue(mailItem, { ...mail, text: encrypt(mail.text, secretOf(config)) }, db && { db })
}

export const mailHandler = handlerOf(mailItem, async (services, { id, payload: { to, subject, text: queued, isOnce = false } }) => {
  const { config, log } = services
  // Throws when the server's secret has changed since the mail was queued.
  const text = isEncrypted(queued) ? decrypt(queued, secretOf(config)) : queued
  if (!config.SMTP_URL) return log.info({ to, subject, text }, 'no SMTP_URL is set, so this email is only printed')
  const mail = { from: config.MAIL_FROM, to, subject, text }
  if (isOnce) await sendOnce(services, id, mail)
  else await (await transportOf(services)).sendMail(mail)
})

type Message = Mail & { from: string }

/** Sends the mail unless an earlier attempt has handed it over. It is marked when the mail server is about to take its text, and not before. */
async function sendOnce(services: Services, id: string, mail: Message): Promise<void> {
  const { database, log, now } = services
  let isHandedOver = false
  async function* markedText() {
    const [begun] = await database.query(beginHandover, [id, now().toISOString()])
    if (!begun) throw new HandedOverBefore()
    isHandedOver = true
    yield await messageOf(mail)
  }
  try {
    const envelope = { from: mail.from, to: mail.to }
    await (await transportOf(services)).sendMail({ envelope, raw: Readable.from(markedText(), { objectMode: false }) })
  } catch (error) {
    const isRefused = error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
    if (isHandedOver && isRefused) await database.query(endHandover, [id])
    if (!(error instanceof HandedOverBefore) && (!isHandedOver || isRefused)) throw error
    log.warn({ err: error, to: mail.to }, 'an email may have been sent or not; it is not sent again')
  }
}

class HandedOverBefore extends Error {}

const messageOf = async (mail: Message): Promise<Buffer> => {
  const { createTransport } = await import('nodemailer')
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(mail)
  if (!Buffer.isBuffer(message)) throw new Error('nodemailer made no buffer')
  return message
}

/**
 * A name or a text that users have chosen, for a mail: one line, in the direction of its text, without a link in it. Mail programs make links
 * of hosts too, unless a word joiner, which nobody sees, stands in them.
 */
export const plain = (name: string) =>
  shorten(
    name
      .replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')
      .trim()
      .replace(/:\/\//g, ': //'),
    100,
  ).replace(/\.(?=[\p{L}\p{N}])/gu, '.\u2060')

// Loaded with the first email, because it is large and most processes send none.
const transportOf = perObject(
  async ({ config }: Services): Promise<Transporter> => (await import('nodemailer')).createTransport(config.SMTP_URL),
)

// With an outside identity provider IDENTITY_SECRET is not used, and differs between processes.
const secretOf = ({ IDENTITY_ISSUER, SVC_SERVICES_TOKEN, IDENTITY_SECRET }: Services['config']) =>
  `mail ${(IDENTITY_ISSUER ? SVC_SERVICES_TOKEN : IDENTITY_SECRET) ?? ''}`
