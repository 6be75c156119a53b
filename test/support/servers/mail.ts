// An SMTP server for tests, which takes every message after signing in, and records it.

import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

interface Mail {
  from: string
  to: string
  /** The header and the body as they came, without quoted-printable. */
  text: string
}

const account = { user: 'rolocom', pass: 'mail-secret' }

/** What the server waits for before it answers a sign-in, and before it answers that it has a message. */
interface Holds {
  signIn?(): Promise<unknown>
  taken?(): Promise<unknown>
}

export async function startMailServer() {
  const holds: Holds = {}
  const mails: Mail[] = []
  const server = new SMTPServer({
    // No certificate: the tests are about messages.
    ...{ hideSTARTTLS: true, allowInsecureAuth: true },
    onAuth({ username, password }, _session, callback) {
      const isKnown = username === account.user && password === account.pass
      const answer = () => callback(isKnown ? null : new Error('Invalid username or password'), { user: account.user })
      void Promise.resolve(holds.signIn?.()).then(answer)
    },
    onData(stream, { envelope: { mailFrom, rcptTo } }, callback) {
      text(stream).then(message => {
        for (const { address } of rcptTo) mails.push({ from: mailFrom ? mailFrom.address : '', to: address, text: readable(message) })
        void Promise.resolve(holds.taken?.()).then(() => callback())
      }, callback)
    },
  })
  // A client may be killed.
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://${account.user}:${account.pass}@127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    holds,
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}

// Quoted-printable, where the message is.
const readable = (message: string) =>
  /quoted-printable/i.test(message)
    ? message.replaceAll('=\r\n', '').replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : message
