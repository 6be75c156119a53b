// A mail server for tests, which accepts and records every message.

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

interface Mail {
  to: string
  text: string
}

export async function startMailServer() {
  const mails: Mail[] = []
  const server = createServer(socket => {
    let received = ''
    let to = ''
    let inMessage = false
    const say = (line: string) => socket.write(`${line}\r\n`)
    socket.on('error', () => {})
    socket.on('data', chunk => {
      received += chunk
      for (;;) {
        const end = inMessage ? received.indexOf('\r\n.\r\n') : received.indexOf('\r\n')
        if (end < 0) return
        const part = received.slice(0, end)
        received = received.slice(end + (inMessage ? 5 : 2))
        if (inMessage) {
          mails.push({ to, text: readable(part) })
          inMessage = false
          say('250 taken')
          continue
        }
        const recipient = /^RCPT TO:<([^>]+)>/i.exec(part)
        if (recipient?.[1]) to = recipient[1]
        inMessage = part === 'DATA'
        say(inMessage ? '354 go on' : part === 'QUIT' ? '221 bye' : '250 ok')
      }
    })
    say('220 ready')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}

// Quoted-printable, where the message is.
const readable = (message: string) =>
  /quoted-printable/i.test(message)
    ? message.replaceAll('=\r\n', '').replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : message
