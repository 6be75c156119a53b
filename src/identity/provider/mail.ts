// What the embedded identity provider mails: links to sign in with, to verify an address, and to choose a new password.

import type { Services } from '../context.ts'
import { enqueueMail } from '../mail-queue.ts'

interface Link {
  email: string
  url: string
}

/** The senders. Without a mail server each link is printed in the log instead, so that sign-in works on a laptop. */
export function providerMail(services: Services) {
  const { config, log } = services
  const send = async ({ email, url }: Link, { purpose, subject, text }: { purpose: string; subject: string; text: string[] }) => {
    if (!config.SMTP_URL) return log.info({ email, url }, `the link to ${purpose}; no SMTP_URL is set, so it is only printed here`)
    await enqueueMail(services, { to: email, subject, text: text.join('\n\n') })
  }
  return {
    signIn: (link: Link) =>
      send(link, {
        purpose: 'sign in with',
        subject: 'Sign in to Rolocom',
        text: ['Sign in to Rolocom with this link. It works once, for five minutes:', link.url, 'If you did not ask for it, ignore it.'],
      }),
    verify: (link: Link) =>
      send(link, {
        purpose: 'verify the address with',
        subject: 'Verify your address for Rolocom',
        text: [
          'Somebody signed up to Rolocom with this address. If it was you, open this link within a day, in the browser you signed up with:',
          link.url,
          'Opened anywhere else it verifies the address as well, but ends every session, password and API key made before: they may be ' +
            "somebody else's. If it was not you, ignore this mail.",
        ],
      }),
    reset: (link: Link) =>
      send(link, {
        purpose: 'choose a new password with',
        subject: 'Choose a new password for Rolocom',
        text: [
          'Choose a new password with this link. It works once, for an hour, and signs you out everywhere:',
          link.url,
          'If you did not ask for it, ignore it: your password stays.',
        ],
      }),
  }
}
