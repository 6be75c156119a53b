// A receiver of webhooks: an HTTP server that answers as the test decides, and keeps what it was sent, to the byte.

import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../support/app.ts'

export interface Sent {
  path: string
  headers: IncomingHttpHeaders
  /** As it was signed. */
  raw: string
  body: Json
  at: number
}

interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: string
  /** Milliseconds before the answer. */
  afterMs?: number
}

export async function startReceiver() {
  let answer: (sent: Sent, count: number) => Answer | Promise<Answer> = () => ({})
  const sent: Sent[] = []
  const waiting: { count: number; fits: (one: Sent) => boolean; resolve: (all: Sent[]) => void }[] = []
  const server = createServer(async (req, res) => {
    let raw = ''
    for await (const chunk of req) raw += chunk
    const one = { path: req.url ?? '', headers: req.headers, raw, body: JSON.parse(raw || 'null'), at: Date.now() }
    sent.push(one)
    for (const wait of waiting) {
      const found = sent.filter(wait.fits)
      if (found.length >= wait.count) wait.resolve(found)
    }
    const { status = 204, headers = {}, body, afterMs = 0 } = await answer(one, sent.length)
    setTimeout(() => res.writeHead(status, headers).end(body), afterMs)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    sent,
    answer(next: typeof answer) {
      answer = next
    },
    /** Resolves with what fits, once that are so many. */
    received(count: number, fits: (one: Sent) => boolean = () => true): Promise<Sent[]> {
      const found = sent.filter(fits)
      if (found.length >= count) return Promise.resolve(found)
      return new Promise(resolve => waiting.push({ count, fits, resolve }))
    },
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>
