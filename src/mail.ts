// E-mail: by SMTP when a server is configured, else printed in the log, so that sign-in by link works on a laptop.

import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { TaskPayloads } from './tasks.ts'

export type SendMail = (mail: TaskPayloads['mail']) => Promise<void>

export function createMail({ SMTP_URL, MAIL_FROM }: Config, log: Logger): SendMail {
  if (!SMTP_URL)
    return async ({ to, subject, text }) => log.info({ to, subject, text }, 'no SMTP_URL is set, so this e-mail is only printed')
  const transport = createTransport(SMTP_URL)
  return async ({ to, subject, text }) => void (await transport.sendMail({ from: MAIL_FROM, to, subject, text }))
}
