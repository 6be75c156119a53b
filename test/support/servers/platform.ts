// A messaging platform for tests: an HTTP server that responds as the test defines, and records its requests.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string | string[] | undefined>
  /** Parsed JSON, or the fields of a form. */
  body: Record<string, unknown>
}

export interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: unknown
  /** The connection is closed without an answer. */
  breaks?: boolean
  /** No answer for this long. */
  afterMs?: number
}

export async function startPlatform(first: (received: Received, count: number) => Reply = () => ({})) {
  let reply = first
  const received: Received[] = []
  const server = createServer(async (req, res) => {
    let text = ''
    for await (const chunk of req) text += chunk
    const url = new URL(req.url ?? '/', 'http://localhost')
    const isForm = req.headers['content-type']?.includes('x-www-form-urlencoded')
    received.push({
      method: req.method ?? '',
      path: decodeURIComponent(url.pathname),
      query: Object.fromEntries(url.searchParams),
      headers: req.headers,
      body: isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text || '{}'),
    })
    const { status = 200, headers = {}, body = {}, breaks, afterMs } = reply(received.at(-1) as Received, received.length)
    if (breaks) return void req.socket.destroy()
    setTimeout(() => {
      if (res.destroyed) return
      res.writeHead(status, { 'content-type': 'application/json', ...headers })
      res.end(typeof body === 'string' ? body : JSON.stringify(body))
    }, afterMs ?? 0)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    reply(next: (received: Received, count: number) => Reply) {
      reply = next
    },
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
