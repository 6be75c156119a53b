// The disk of the embedded database is full: first for what it stores, then for the log that it could not go on without.

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { withoutDisks } from '../../../crash/disk.ts'
import type { Row } from '../../row.ts'
import { ask } from '../../traffic.ts'

const contacts = '/api/crm/v1/contacts'
const patienceMs = 15_000
// At most: what is waited for comes much sooner on an idle machine.
const withinMs = 120_000

export const row: Row = {
  name: 'the disk is full: writes are 503 and reads go on; without its log PostgreSQL ends, and all is well by itself once there is room',
  lacks: withoutDisks,
  isShort: true,
  async run(lab) {
    const disk = lab.disk(400)
    const dataDir = join(disk.path, 'data')
    const server = await lab.server({}, undefined, dataDir)
    const traffic = lab.traffic([server], { clients: 2, patienceMs })
    await traffic.recovered(withinMs)
    // While the disk is full, PostgreSQL may take no further connections.
    const postgres = new pg.Client({ connectionString: urlIn(dataDir) })
    postgres.on('error', () => {})
    await postgres.connect()

    disk.fill()
    const create = () => ask(server, 'POST', contacts, patienceMs, { email: `${randomUUID()}@full.example` })
    const taken = await until(async () => (await create()).status === 503)
    let unread = 0
    for (let i = 0; i < 20; i++) if ((await ask(server, 'GET', `${contacts}?limit=5`, patienceMs)).status !== 200) unread++

    // Each begins another file of the log.
    const unbroken = await until(async () => (await postgres.query('select pg_switch_wal(), txid_current()').catch(() => null)) === null)
    await postgres.end().catch(() => {})
    await sleep(5_000)
    disk.free()
    const freedAt = performance.now()
    await traffic.recovered(withinMs)
    const figures = { recoveryMs: traffic.recoveryMs(freedAt), ...(await traffic.verdict()) }
    return { ...figures, unread, taken, unbroken, exitStatus: await server.stop() }
  },
  // Until its next try to start, PostgreSQL waits up to 5 s, and then replays its log.
  limits: { recoveryMs: 60_000, unread: 0, taken: 0, unbroken: 0, exitStatus: 0 },
}

/** 0 as soon as the condition holds, 1 if it never does. */
async function until(condition: () => Promise<boolean>): Promise<number> {
  for (const deadline = performance.now() + withinMs; !(await condition()); await sleep(20)) if (performance.now() > deadline) return 1
  return 0
}

function urlIn(dataDir: string): string {
  const [password, port] = ['password', 'port'].map(name => readFileSync(join(dataDir, 'postgres', name), 'utf8').trim())
  return `postgresql://rolocom:${password}@127.0.0.1:${port}/rolocom`
}
