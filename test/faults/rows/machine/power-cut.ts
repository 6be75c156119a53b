// The power fails: what was written and not synced is gone, of the database and of the server's own files.

import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withoutDisks } from '../../../crash/disk.ts'
import type { Server } from '../../../crash/server.ts'
import { freePort } from '../../../support/free-port.ts'
import type { Row } from '../../row.ts'
import { ask, type Traffic } from '../../traffic.ts'

const cuts = 3
const contacts = '/api/crm/v1/contacts'
// With either of them PostgreSQL acknowledges what it has not synced: the same cut must then find losses, or it would prove nothing.
const careless = ["synchronous_commit = off\nwal_writer_delay = '10s'\nwal_writer_flush_after = '1GB'", 'fsync = off']

export const row: Row = {
  name: 'power cuts under load: every acknowledged write is there, and so are the first key and the secrets',
  lacks: withoutDisks,
  isShort: true,
  async run(lab) {
    const disk = lab.disk(1_024)
    const dataDir = join(disk.path, 'data')
    // One port, so that its clients find it again.
    const environment = { PORT: String(await freePort()) }
    const cutAndStart = async (server: Server, traffic?: Traffic) => {
      await server.kill({ disk })
      await traffic?.stop()
      await disk.mount()
      return await lab.server(environment, server.key, dataDir)
    }
    const text = (name: string) => (existsSync(join(dataDir, name)) ? readFileSync(join(dataDir, name), 'utf8') : '')

    // As soon as the first start has told its key.
    let server = await lab.server(environment, undefined, dataDir)
    const secrets = text('secrets.json')
    const told = text('first-start.txt')
    server = await cutAndStart(server)
    const forgotten = [text('secrets.json') === secrets, text('first-start.txt') === told].filter(isKept => !isKept).length
    const figures = { lost: 0, doubled: 0, wrong: 0, hung: 0, acknowledged: 0, slowestStartMs: 0, forgotten }
    for (let count = 0; count < cuts; count++) {
      const traffic = lab.traffic([server], { clients: 8, pauseMs: 10 })
      await sleep(1_500)
      server = await cutAndStart(server, traffic)
      figures.slowestStartMs = Math.max(figures.slowestStartMs, server.readyMs)
      const verdict = await traffic.verdict()
      for (const figure of ['lost', 'doubled', 'wrong', 'hung', 'acknowledged'] as const) figures[figure] += verdict[figure] ?? 0
    }

    let unnoticed = 0
    for (const settings of careless) {
      await server.stop()
      appendFileSync(join(dataDir, 'postgres', 'data', 'postgresql.conf'), `\n${settings}\n`, { flush: true })
      server = await lab.server(environment, server.key, dataDir)
      const ids = await created(server, 100)
      const after = await cutAndStart(server).catch(() => undefined)
      const missing = after ? await countMissing(after, ids) : ids.length
      lab.found(`with ${settings.split('\n')[0]}: ${missing} of ${ids.length} lost${after ? '' : ', and it no longer starts'}`)
      if (missing === 0) unnoticed++
      server = after ?? server
    }
    return { ...figures, unnoticed }
  },
  limits: { forgotten: 0, unnoticed: 0 },
}

async function created(server: Server, count: number): Promise<string[]> {
  const ids: string[] = []
  const create = async () => {
    const { status, body } = await ask(server, 'POST', contacts, 30_000, { email: `${randomUUID()}@power.example` })
    if (status === 201) ids.push(String(body.id))
  }
  for (let i = 0; i < count; i += 20) await Promise.all(Array.from({ length: 20 }, create))
  return ids
}

async function countMissing(server: Server, ids: readonly string[]): Promise<number> {
  let missing = 0
  for (const id of ids) if ((await ask(server, 'GET', `${contacts}/${id}`, 30_000)).status === 404) missing++
  return missing
}
