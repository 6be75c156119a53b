// More connections asked for than PostgreSQL has: each process takes its part, and says so.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../row.ts'

export const row: Row = {
  name: 'Three processes with pools of 16 on a PostgreSQL of 48 connections: each takes its part, nobody is refused',
  isShort: false,
  // Behind a pooler, its own settings limit the connections.
  isDirect: true,
  async run(lab) {
    const cluster = await lab.cluster({ max_connections: '48' })
    const environment = { DATABASE_URL: cluster.url(), DATABASE_POOL_SIZE: '16' }
    const first = await lab.server(environment)
    const second = await lab.server(environment, first.key)
    const third = await lab.server(environment, first.key)
    const servers = [first, second, third]
    // The others learn of the third within 10 s.
    await sleep(12_000)
    const traffic = lab.traffic(servers, { clients: 12, pauseMs: 0, patienceMs: 20_000 })
    await sleep(5_000)
    const [open] = await cluster.query<{ n: number }>(
      "select count(*)::int as n from pg_stat_activity where application_name like 'rolocom%'",
    )
    const verdict = await traffic.verdict()
    const told = servers.filter(server => server.output().includes('set DATABASE_POOL_SIZE')).length
    return { ...verdict, open: open?.n, untold: servers.length - told }
  },
  limits: { refused: 0, open: 43, untold: 0 },
}
