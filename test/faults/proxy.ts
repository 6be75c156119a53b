// A reverse proxy as nginx is by default: it knows of a server only by what happens to its requests, and sends again what is safe.

import { Agent, createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Server } from '../crash/server.ts'

export interface Proxy {
  url: string
  requests(): number
  /** Requests that were sent to another server because the first one was gone. */
  repeated(): number
  /** Answers of 502, by method. */
  badGateways(): Readonly<Record<string, number>>
  close(): void
}

// What `proxy_next_upstream error timeout` repeats: a POST may have happened already.
const repeatable = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])
// How long a server is left out after a failure: nginx's fail_timeout, shortened so that a round has many.
const failedForMs = 1_000

/** Sends requests in turn to `servers`, which may change, over connections that it keeps. */
export async function startProxy(servers: Server[]): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const failedAt = new Map<Server, number>()
  const badGateways: Record<string, number> = {}
  let turn = 0
  let requests = 0
  let repeated = 0

  const next = (tried: readonly Server[]): Server | undefined => {
    const left = servers.filter(server => !tried.includes(server))
    const well = left.filter(server => performance.now() - (failedAt.get(server) ?? Number.NEGATIVE_INFINITY) > failedForMs)
    const from = well.length > 0 ? well : left
    return from[turn++ % from.length]
  }
  const send = async (
    server: Server,
    req: IncomingMessage,
    body: Buffer,
    res: ServerResponse,
  ): Promise<'answered' | NodeJS.ErrnoException> => {
    const { hostname, port } = new URL(server.url)
    return await new Promise(resolve => {
      const onward = request({ hostname, port, path: req.url, method: req.method, headers: forwarded(req), agent }, answer => {
        res.writeHead(answer.statusCode ?? 502, passedBack(answer.headers))
        // Cut in the middle of an answer: the client's connection is cut too.
        answer.on('error', () => res.destroy())
        answer.pipe(res)
        resolve('answered')
      })
      onward.on('error', resolve)
      onward.end(body)
    })
  }
  const front = createServer(async (req, res) => {
    requests++
    const body = Buffer.concat(await req.toArray())
    const tried: Server[] = []
    for (let server = next(tried); server; server = next(tried)) {
      if (tried.length > 0) repeated++
      tried.push(server)
      const outcome = await send(server, req, body, res)
      if (outcome === 'answered') return
      failedAt.set(server, performance.now())
      // A server that takes no connection has not seen the request.
      if (!repeatable.has(req.method ?? '') && outcome.code !== 'ECONNREFUSED') break
    }
    badGateways[req.method ?? ''] = (badGateways[req.method ?? ''] ?? 0) + 1
    res.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>')
  })
  await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve))
  const { port } = front.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    repeated: () => repeated,
    badGateways: () => badGateways,
    close() {
      front.close()
      front.closeAllConnections()
      agent.destroy()
    },
  }
}

const ofOneConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade'])
const passedBack = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOneConnection.has(name)))
const forwarded = (req: IncomingMessage) => ({
  ...passedBack(req.headers),
  'x-forwarded-for': req.socket.remoteAddress ?? '',
  'x-forwarded-proto': 'http',
})
