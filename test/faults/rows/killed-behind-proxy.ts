// Two servers behind a proxy that learns of a dead one only by its own requests; one after the other is killed, or stopped, under load.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProxy } from '../proxy.ts'
import type { Row } from '../row.ts'

const rounds = 6

export const row: Row = {
  name: 'servers killed and stopped in turn behind a proxy: nothing acknowledged is lost, reads go on, a write gets 502 at worst and is repeated with its key',
  isShort: false,
  async run(lab) {
    const cluster = await lab.cluster()
    const environment = {
      ...{ DATABASE_URL: cluster.url(), NODE_ENV: 'development', TRUST_PROXY: 'loopback' },
      ...{ SVC_SERVICES_TOKEN: randomUUID(), IDENTITY_SECRET: randomUUID() },
    }
    const first = await lab.server(environment)
    const servers = [first, await lab.server(environment, first.key)]
    const proxy = lab.kept(await startProxy(servers), one => one.close())
    const traffic = lab.traffic([{ ...first, url: proxy.url }], { clients: 8, pauseMs: 5, patienceMs: 15_000, refusals: [502, 503] })
    await traffic.recovered()
    let exitStatus = 0
    let stopped = 0
    let lastEndedAt = 0
    for (let round = 0; round < rounds; round++) {
      const index = round % servers.length
      const before = total(proxy.badGateways())
      if (round % 4 < 2) await servers[index]?.kill()
      else exitStatus = Math.max(exitStatus, Math.abs((await servers[index]?.stop()) ?? 0))
      lastEndedAt = performance.now()
      await sleep(1_500)
      if (round % 4 >= 2) stopped += total(proxy.badGateways()) - before
      servers[index] = await lab.server(environment, first.key)
      await sleep(1_500)
    }
    const recoveryMs = traffic.recoveryMs(lastEndedAt)
    const verdict = await traffic.verdict()
    const { GET: failedReads = 0 } = proxy.badGateways()
    return {
      ...{ recoveryMs, ...verdict, failedReads, exitStatus, badGatewaysOfStops: stopped },
      ...{ badGateways: total(proxy.badGateways()), repeated: proxy.repeated(), requests: proxy.requests() },
    }
  },
  limits: { recoveryMs: 2_000, failedReads: 0, exitStatus: 0 },
}

const total = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((sum, count) => sum + count, 0)
