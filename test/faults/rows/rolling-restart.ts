// Two servers behind a balancer that asks /readyz are replaced one after the other under load, without a failed request.

import { randomUUID } from 'node:crypto'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../../crash/server.ts'
import type { Row } from '../row.ts'

const rounds = 4

export const row: Row = {
  name: 'two servers replaced one after the other under load behind a balancer: no request is reset or refused',
  isShort: false,
  async run(lab) {
    const cluster = await lab.cluster()
    const environment = {
      ...{ DATABASE_URL: cluster.url(), NODE_ENV: 'development', DRAIN_SECONDS: '3' },
      ...{ SVC_SERVICES_TOKEN: randomUUID(), IDENTITY_SECRET: randomUUID() },
    }
    const first = await lab.server(environment)
    const servers = [first, await lab.server(environment, first.key)]
    const balancer = await startBalancer(servers)
    const traffic = lab.traffic([{ ...first, url: balancer.url }], { clients: 8, pauseMs: 5 })
    await sleep(2_000)
    const startedAt = performance.now()
    let exitStatus = 0
    for (let round = 0; round < rounds; round++) {
      const index = round % servers.length
      exitStatus = Math.max(exitStatus, Math.abs((await servers[index]?.stop()) ?? 0))
      servers[index] = await lab.server(environment, first.key)
      await sleep(1_500)
    }
    const verdict = await traffic.verdict()
    balancer.close()
    return { recoveryMs: traffic.recoveryMs(startedAt), ...verdict, resets: balancer.resets(), requests: balancer.requests(), exitStatus }
  },
  limits: { recoveryMs: 0, refused: 0, resets: 0, exitStatus: 0 },
}

/** Sends requests in turn to the servers that were ready when last asked, half a second ago at most, over connections it keeps. */
async function startBalancer(servers: Server[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const ready = new Set<Server>(servers)
  let turn = 0
  let requests = 0
  let resets = 0
  const timer = setInterval(() => {
    for (const server of ready) if (!servers.includes(server)) ready.delete(server)
    for (const server of [...servers])
      fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
        ({ ok }) => (ok && servers.includes(server) ? ready.add(server) : ready.delete(server)),
        () => ready.delete(server),
      )
  }, 500)
  const front = createServer((req, res) => {
    const targets = [...ready]
    const target = targets[turn++ % targets.length]
    if (!target) return void res.writeHead(502).end()
    requests++
    const { hostname, port } = new URL(target.url)
    const onward = request({ hostname, port, path: req.url, method: req.method, headers: req.headers, agent }, answer => {
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
    requests: () => requests,
    resets: () => resets,
    close() {
      clearInterval(timer)
      front.close()
      front.closeAllConnections()
      agent.destroy()
    },
  }
}
