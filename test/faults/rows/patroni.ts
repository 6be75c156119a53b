// Two nodes under Patroni with etcd and synchronous mode: the primary's machine dies.

import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPatroni, ttlSeconds } from '../patroni.ts'
import type { Row } from '../row.ts'

export const row: Row = {
  name: 'Patroni with etcd: the primary is killed under load, and the standby takes over: well again without a restart, nothing lost',
  needs: ['patroni', 'etcd'],
  isShort: false,
  async lacks() {
    const { status } = spawnSync('/usr/bin/python3', ['-c', 'import etcd, psycopg2'])
    return status === 0 ? undefined : 'python3-etcd or python3-psycopg2 is not installed'
  },
  async run(lab) {
    const patroni = lab.kept(await startPatroni(lab.folder()), one => one.stop())
    const server = await lab.server({ DATABASE_URL: patroni.url })
    const traffic = lab.traffic([server])
    await traffic.recovered()
    const begunAt = performance.now()
    await patroni.killPrimary()
    // Until then requests still succeed on nothing that has failed yet.
    await sleep(1_000)
    await traffic.recovered((ttlSeconds + 60) * 1000)
    const figures = { recoveryMs: traffic.recoveryMs(begunAt), ...(await traffic.verdict()) }
    // 0 is an end on request of the process that was started: it did not end in between.
    return { ...figures, exitStatus: await server.stop() }
  },
  // The key of the dead primary has to expire first; then 10 s.
  limits: { recoveryMs: (ttlSeconds + 10) * 1000, exitStatus: 0 },
}
