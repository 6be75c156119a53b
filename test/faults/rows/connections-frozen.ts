// Connections that stay open and carry nothing any more, while new ones are fine: a failover, a firewall that forgot them.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../row.ts'
import { ask } from '../traffic.ts'

export const row: Row = {
  name: 'Database connections frozen, new ones fine: well again without a restart',
  isShort: true,
  // A pooler detects its own lost connections, by TCP, which the relay does not imitate.
  isDirect: true,
  async run(lab) {
    const cluster = await lab.cluster()
    const relay = await lab.relay(cluster.port)
    const server = await lab.server({ DATABASE_URL: cluster.url('rolocom', relay.port) })
    const traffic = lab.traffic([server], { patienceMs: 6_000 })
    // Slow first requests would count their wait before the fault as well.
    await traffic.recovered()
    relay.freeze()
    const frozenAt = performance.now()
    await sleep(1_200)
    const readiness = await ask(server, 'GET', '/readyz', 3_000)
    await traffic.recovered()
    const figures = { recoveryMs: traffic.recoveryMs(frozenAt), ...(await traffic.verdict()) }
    return { ...figures, saidToBeReady: readiness.status === 503 ? 0 : 1, exitStatus: await server.stop() }
  },
  limits: { saidToBeReady: 0, exitStatus: 0 },
}
