// E-mails in the queue: their text may contain a sign-in link, so it is encrypted while it is queued.

import type { Queries } from '../../database/client.ts'
import type { Services } from '../context.ts'
import { decrypt, encrypt, isEncrypted } from '../crypto/encrypt.ts'
import type { QueueItems } from './queue.ts'

/**
 * Queues an e-mail, in the transaction `db` if given. In the queue's tables, dead tasks included, the recipient and the subject are
 * readable, the text is not.
 */
export async function enqueueMail({ config, queue }: Services, mail: QueueItems['mail'], db?: Queries): Promise<void> {
  await queue.enqueue('mail', { ...mail, text: encrypt(mail.text, secretOf(config)) }, db && { db })
}

/** Decrypts a queued e-mail. Throws when the server's secret has changed since it was queued. */
export function openMail({ config }: Services, mail: QueueItems['mail']): QueueItems['mail'] {
  return isEncrypted(mail.text) ? { ...mail, text: decrypt(mail.text, secretOf(config)) } : mail
}

// With an outside identity provider IDENTITY_SECRET is not used, and differs between processes.
const secretOf = ({ IDENTITY_ISSUER, SVC_SERVICES_TOKEN, IDENTITY_SECRET }: Services['config']) =>
  `mail ${(IDENTITY_ISSUER ? SVC_SERVICES_TOKEN : IDENTITY_SECRET) ?? ''}`
