// E-mails in the queue: their text, which may hold a link that signs in, is encrypted while it waits.

import type { Services } from './context.ts'
import { isSealed, seal, unseal } from './seal.ts'
import type { TaskPayloads } from './tasks.ts'

/** Queues an e-mail. The queue's tables, dead tasks included, show its recipient and subject, and not the text. */
export async function enqueueMail({ config, tasks }: Services, mail: TaskPayloads['mail']): Promise<void> {
  await tasks.enqueue('mail', { ...mail, text: seal(mail.text, secretOf(config)) })
}

/** The e-mail as it is to be sent. Throws where the server has another secret than when it was queued. */
export function openMail({ config }: Services, mail: TaskPayloads['mail']): TaskPayloads['mail'] {
  return isSealed(mail.text) ? { ...mail, text: unseal(mail.text, secretOf(config)) } : mail
}

// With an outside identity provider IDENTITY_SECRET is nobody's, and differs between processes.
const secretOf = ({ IDENTITY_ISSUER, SVC_SERVICES_TOKEN, IDENTITY_SECRET }: Services['config']) =>
  `mail ${(IDENTITY_ISSUER ? SVC_SERVICES_TOKEN : IDENTITY_SECRET) ?? ''}`
