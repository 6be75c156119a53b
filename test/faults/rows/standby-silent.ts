// A synchronous standby stops confirming commits, as when it is paused: PostgreSQL itself then waits without a limit.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../row.ts'
import { ask } from '../traffic.ts'

export const row: Row = {
  name: 'a synchronous standby confirms nothing for 30 s: writes are 503 within 6 s, reads go on, and a retry with its key is safe',
  isShort: false,
  async run(lab) {
    const cluster = await lab.cluster()
    const server = await lab.server({ DATABASE_URL: cluster.url() })
    const traffic = lab.traffic([server], { clients: 2, patienceMs: 6_000, pauseMs: 200 })
    // Slow first requests would count their wait before the fault as well.
    await traffic.recovered()
    const name = async (standby: string) => {
      await cluster.query(`alter system set synchronous_standby_names = '${standby}'`)
      await cluster.query('select pg_reload_conf()')
    }
    await name('nobody')
    let unread = 0
    for (const until = performance.now() + 30_000; performance.now() < until; await sleep(500))
      if ((await ask(server, 'GET', '/api/crm/v1/contacts?limit=5')).status !== 200) unread++
    await name('')
    const resumedAt = performance.now()
    await traffic.recovered()
    return { unread, recoveryMs: traffic.recoveryMs(resumedAt), ...(await traffic.verdict()), exitStatus: await server.stop() }
  },
  limits: { exitStatus: 0, unread: 0 },
}
