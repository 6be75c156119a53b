// Emails of the embedded identity provider: links to sign in, to verify an address, and to choose a new password, and word of a sign-up with an
// address that has an account.

import type { Services } from '../../kernel/context.ts'
import { enqueueMail } from '../mail.ts'
import { verifiesFirst } from '../sign-up/new-account.ts'

interface Link {
  email: string
  url: string
}

/** Functions that send these emails. Without a mail server the links are logged instead, so that sign-in works in development. */
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
          verifiesFirst(config)
            ? 'In any other browser it asks for the password that you chose. If it was not you, ignore this mail.'
            : 'Opened anywhere else it verifies the address as well, but ends every session, password and API key made before: they may be ' +
              "somebody else's. If it was not you, ignore this mail.",
        ],
      }),
    known: (link: Link) =>
      send(link, {
        purpose: 'sign in at',
        subject: 'You have an account at Rolocom',
        text: [
          'Somebody tried to sign up to Rolocom with this address, which has an account already. Nothing has changed. If it was you, sign in, ' +
            'or have a link mailed to you if you have forgotten the password:',
          link.url,
          'If you were joining an organization, open its invitation again, and say there that you have an account. If it was not you, ignore ' +
            'this mail: the person who tried was not told that you have an account.',
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
