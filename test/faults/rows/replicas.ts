// Reads from standbys: none is older than what was acknowledged before it, and a standby that lags, hangs or dies is left out.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../../crash/server.ts'
import { ownReads } from '../own-reads.ts'
import type { Row } from '../row.ts'
import { ask } from '../traffic.ts'

export const row: Row = {
  name: 'DATABASE_READ_URLS: no read misses what was acknowledged before it; a standby that lags, hangs or dies is left out within 2 s',
  isShort: true,
  async run(lab) {
    const primary = await lab.cluster()
    const standby = await lab.standby(primary)
    const environment = { DATABASE_URL: primary.url(), DATABASE_READ_URLS: standby.url() }
    const first = await lab.server(environment)
    const second = await lab.server(environment, first.key)
    const servers = [first, second]
    await allUse(servers, 1)
    const { stale } = await ownReads(servers, { reads: 2_000, clients: 8, found: lab.found })
    const onReplica = await shareOnReplicas(first)

    const traffic = lab.traffic(servers)
    await traffic.recovered()
    await standby.query('select pg_wal_replay_pause()')
    const lagMs = await allUse(servers, 0)
    await standby.query('select pg_wal_replay_resume()')
    await allUse(servers, 1)
    standby.pause()
    const silenceMs = await allUse(servers, 0)
    standby.resume()
    await allUse(servers, 1)
    await standby.stop('immediate')
    const deathMs = await allUse(servers, 0)
    await traffic.recovered()
    const verdict = await traffic.verdict()
    return { ...verdict, stale, onPrimaryPercent: 100 - onReplica, lagMs, silenceMs, deathMs }
  },
  limits: { refused: 0, stale: 0, onPrimaryPercent: 10, lagMs: 2_000, silenceMs: 2_000, deathMs: 2_000 },
}

/** Milliseconds until every server uses `count` replicas. A write first, or a standby that replays nothing would not be behind. */
async function allUse(servers: readonly Server[], count: 0 | 1): Promise<number> {
  const begun = performance.now()
  for (const server of servers)
    for (const deadline = begun + 30_000; (await metric(server, 'rolocom_replicas{state="used"}')) !== count; await sleep(20)) {
      if (performance.now() > deadline) throw new Error(`after 30 s not ${count} replicas are used: ${server.output().slice(-500)}`)
      if (count === 0) await ask(server, 'POST', '/api/crm/v1/contacts', 6_500, { email: `${randomUUID()}@faults.example` })
    }
  return performance.now() - begun
}

async function shareOnReplicas(server: Server): Promise<number> {
  const replica = await metric(server, 'rolocom_reads_total{server="replica"}')
  const primary = await metric(server, 'rolocom_reads_total{server="primary"}')
  return (100 * replica) / (replica + primary)
}

async function metric(server: Server, name: string): Promise<number> {
  const text = await fetch(`${server.url}/metrics`).then(answer => answer.text())
  const line = text.split('\n').find(line => line.startsWith(`${name} `))
  return line === undefined ? 0 : Number(line.slice(name.length))
}
