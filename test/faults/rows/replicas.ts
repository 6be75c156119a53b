// Reads from standbys: none is older than what was acknowledged before it, and a standby that lags, hangs or dies is left out.

import { allUse, ownReads, replicated } from '../replicas.ts'
import type { Row } from '../row.ts'

export const row: Row = {
  name: 'DATABASE_READ_URLS: no read misses what was acknowledged before it; a standby that lags, hangs or dies is left out within 2 s',
  isShort: true,
  async run(lab) {
    const { standby, servers } = await replicated(lab)
    const reads = await ownReads(servers, { reads: 2_000, clients: 8, found: lab.found })

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
    return { ...verdict, ...reads, lagMs, silenceMs, deathMs }
  },
  limits: { refused: 0, stale: 0, onPrimaryPercent: 10, lagMs: 2_000, silenceMs: 2_000, deathMs: 2_000 },
}
