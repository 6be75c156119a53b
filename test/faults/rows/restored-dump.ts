// The README's backup and restore: dumped under load, restored into another cluster, live updates right and every account in order.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStream } from '../../graphql/stream.ts'
import type { Row } from '../row.ts'
import { pathOf } from '../tools.ts'
import { ask } from '../traffic.ts'

const root = join(import.meta.dirname, '../../..')
const contacts = '/api/crm/v1/contacts'

export const row: Row = {
  name: 'a dump restored into another cluster: everything acknowledged before is there, live updates tell what comes and nothing of before',
  needs: ['pg_dump'],
  isShort: true,
  async run(lab) {
    const environment = { SVC_SERVICES_TOKEN: randomUUID(), IDENTITY_SECRET: randomUUID() }
    const old = await lab.cluster()
    const before = await lab.server({ ...environment, DATABASE_URL: old.url() })
    const created: string[] = []
    const create = async (server: typeof before) => {
      const { status, body } = await ask(server, 'POST', contacts, 10_000, { email: `${randomUUID()}@dump.example` }, randomUUID())
      if (status === 201) created.push(String(body.id))
    }
    for (let i = 0; i < 100; i++) await create(before)
    const acknowledged = [...created]
    const dump = join(lab.folder(), 'rolocom.dump')
    const dumping = command(pathOf('pg_dump'), ['--format=custom', '--no-owner', '--no-privileges', `--file=${dump}`, old.url()])
    const load = Array.from({ length: 50 }, () => create(before))
    await Promise.all([dumping, ...load])
    await before.stop()

    const restored = await lab.cluster()
    await restored.query('create database restored', [], 'postgres')
    const url = restored.url('restored')
    const flags = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction']
    await command(pathOf('pg_restore'), [...flags, `--dbname=${url}`, dump])
    const startedAt = performance.now()
    const migrated = await command(process.execPath, [join(root, 'src/main.ts'), 'migrate'], { ...environment, DATABASE_URL: url })
    lab.found(migrated.trim())
    const server = await lab.server({ ...environment, DATABASE_URL: url }, before.key)
    const recoveryMs = performance.now() - startedAt

    let lost = 0
    for (const id of acknowledged) if ((await ask(server, 'GET', `${contacts}/${id}`)).status !== 200) lost++
    const stream = await openStream(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${server.key}` },
      body: JSON.stringify({ query: 'subscription { contactChanged { type contact { id } } }' }),
    })
    await sleep(3_000)
    created.length = 0
    for (let i = 0; i < 5; i++) await create(server)
    const told: string[] = []
    for (let i = 0; i < 5; i++) told.push((await stream.next(10_000).catch(() => undefined))?.data?.data?.contactChanged?.contact?.id)
    const replayed = await stream.silence(2_000).then(
      () => 0,
      () => 1,
    )
    stream.leave()
    const wrong = created.filter((id, index) => told[index] !== id).length
    const audit = await command(process.execPath, [join(root, 'src/main.ts'), 'audit', 'credits'], { ...environment, DATABASE_URL: url })
    lab.found(audit.trim())
    return { recoveryMs, lost, doubled: replayed, wrong, hung: 0, auditFindings: audit.includes(', 0 findings') ? 0 : 1 }
  },
  limits: { recoveryMs: 60_000, auditFindings: 0 },
}

/** Runs a program to its end and resolves with what it printed; rejects with what it complained of. */
async function command(program: string | undefined, args: readonly string[], environment: Record<string, string> = {}): Promise<string> {
  if (program === undefined) throw new Error('pg_restore is not installed')
  const child = spawn(program, args, { env: { PATH: process.env.PATH, LOG_LEVEL: 'error', ...environment } })
  let said = ''
  let complaint = ''
  child.stdout.on('data', chunk => (said += chunk))
  child.stderr.on('data', chunk => (complaint += chunk))
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${complaint}${said}`)
  return said
}
