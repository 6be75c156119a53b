// E-mail: sent by SMTP if a server is configured, otherwise printed in the log, so that sign-in by link works in development.

import type { Transporter } from 'nodemailer'
import type { Logger } from 'pino'
import type { Config } from '../config/environment.ts'
import type { QueueItems } from '../kernel/queue/queue.ts'

export type SendMail = (mail: QueueItems['mail']) => Promise<void>

export function createMail({ SMTP_URL, MAIL_FROM }: Config, log: Logger): SendMail {
  if (!SMTP_URL)
    return async ({ to, subject, text }) => log.info({ to, subject, text }, 'no SMTP_URL is set, so this e-mail is only printed')
  let transport: Promise<Transporter> | undefined
  return async ({ to, subject, text }) => {
    // Loaded with the first e-mail, because it is large and most processes send none.
    transport ??= import('nodemailer').then(({ createTransport }) => createTransport(SMTP_URL))
    await (await transport).sendMail({ from: MAIL_FROM, to, subject, text })
  }
}
