// Two servers behind a balancer that asks /readyz are replaced one after the other under load, without a failed request.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startBalancer } from '../balancer.ts'
import type { Row } from '../row.ts'

const rounds = 4

export const row: Row = {
  name: 'two servers replaced one after the other under load behind a balancer: no request is reset or refused',
  isShort: false,
  async run(lab) {
    const cluster = await lab.cluster()
    const environment = {
      // Several times what the balancer needs to notice, because a busy machine answers late.
      ...{ DATABASE_URL: cluster.url(), NODE_ENV: 'development', DRAIN_SECONDS: '8' },
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
      const next = await lab.server(environment, first.key)
      servers[index] = next
      await balancer.uses(next)
      await sleep(1_500)
    }
    const verdict = await traffic.verdict()
    balancer.close()
    return { recoveryMs: traffic.recoveryMs(startedAt), ...verdict, resets: balancer.resets(), requests: balancer.requests(), exitStatus }
  },
  limits: { recoveryMs: 0, refused: 0, resets: 0, exitStatus: 0 },
}
