// PostgreSQL stops where it is for 10 s and goes on: a busy host, a snapshot of its virtual machine.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../row.ts'

export const row: Row = {
  name: 'PostgreSQL paused for 10 s: 503 within 6 s instead of hanging, and well again without a restart',
  isShort: true,
  async run(lab) {
    const cluster = await lab.cluster()
    const server = await lab.server({ DATABASE_URL: cluster.url() })
    const traffic = lab.traffic([server], { patienceMs: 6_000 })
    // Slow first requests would count their wait before the fault as well.
    await traffic.recovered()
    cluster.pause()
    await sleep(10_000)
    cluster.resume()
    const resumedAt = performance.now()
    await traffic.recovered()
    return { recoveryMs: traffic.recoveryMs(resumedAt), ...(await traffic.verdict()), exitStatus: await server.stop() }
  },
  limits: { exitStatus: 0 },
}
