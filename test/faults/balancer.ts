// A balancer in front of servers, which asks their /readyz as a real one does.

import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../crash/server.ts'

export interface Balancer {
  url: string
  /** Resolves when it sends requests to the server, as a deployment waits before it stops another one. */
  uses(server: Server): Promise<void>
  requests(): number
  /** Connections that a server closed without an answer. */
  resets(): number
  /** Answers of 500 and above, also of the balancer itself when no server is ready. */
  failures(): number
  close(): void
}

/** Sends requests in turn to the servers that were ready when last asked, half a second ago at most, over connections it keeps. */
export async function startBalancer(servers: Server[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const ready = new Set<Server>(servers)
  let turn = 0
  let requests = 0
  let resets = 0
  let failures = 0
  const timer = setInterval(() => {
    for (const server of ready) if (!servers.includes(server)) ready.delete(server)
    for (const server of [...servers])
      fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
        ({ ok }) => (ok && servers.includes(server) ? ready.add(server) : ready.delete(server)),
        // A busy machine may answer late, which is no reason to turn callers away.
        (error: Error) => error.name === 'TimeoutError' || ready.delete(server),
      )
  }, 500)
  const front = createServer((req, res) => {
    const targets = [...ready]
    const target = targets[turn++ % targets.length]
    requests++
    if (!target) {
      failures++
      return void res.writeHead(502).end()
    }
    const { hostname, port } = new URL(target.url)
    const onward = request({ hostname, port, path: req.url, method: req.method, headers: req.headers, agent }, answer => {
      if (Number(answer.statusCode) >= 500) failures++
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    })
    onward.on('error', () => {
      resets++
      res.destroy()
    })
    req.pipe(onward)
  })
  await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve))
  const { port } = front.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async uses(server) {
      for (const deadline = performance.now() + 60_000; !ready.has(server); await sleep(100))
        if (performance.now() > deadline) throw new Error('a server did not become ready within a minute')
    },
    requests: () => requests,
    resets: () => resets,
    failures: () => failures,
    close() {
      clearInterval(timer)
      front.close()
      front.closeAllConnections()
      agent.destroy()
    },
  }
}
