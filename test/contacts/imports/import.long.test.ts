// Imports of a process that is killed, and uploads as large as they may be.

import { request } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { type Json, startApp } from '../../support/app.ts'
import { workersOf } from '../../support/servers/workers.ts'

const imports = '/api/crm/v1/imports'

test('a killed process: another one goes on, and every row is imported once', async () => {
  const server = await startApp({ env: { ROLES: 'web,api,session' } })
  const { key, orgId } = await server.given.apiKey()
  const { children, startWorker } = workersOf(server)
  const ask = async (method: string, path: string): Promise<Json> => (await server.rest(method, path, { key })).body
  try {
    const existing = Array.from({ length: 100 }, (_, n) => ({ email: `row-${n * 300}@example.com` }))
    await server.rest('POST', '/api/crm/v1/contacts/batch', { key, body: { contacts: existing } })
    // Each thousandth row is refused: it has a cell too many.
    const rows = Array.from({ length: 30_000 }, (_, n) => `row-${n}@example.com,Name ${n}${n % 1000 === 999 ? ',Inc' : ''}\n`)
    const headers = { 'content-type': 'text/csv' }
    const { id } = (await server.rest('POST', imports, { key, body: `email,last_name\n${rows.join('')}`, headers })).body
    const first = await startWorker()
    await server.rest('POST', `${imports}/${id}/start`, { key, body: { on_conflict: 'update' } })
    await expect.poll(async () => (await ask('GET', `${imports}/${id}`)).row_count, { timeout: 60_000, interval: 10 }).toBeGreaterThan(2000)

    first.kill('SIGKILL')
    const interrupted = await ask('GET', `${imports}/${id}`)
    await startWorker()

    expect(interrupted.status).toBe('running')
    expect(interrupted.row_count).toBeLessThan(30_000)
    await expect.poll(async () => (await ask('GET', `${imports}/${id}`)).status, { timeout: 120_000, interval: 200 }).toBe('completed')
    expect(await ask('GET', `${imports}/${id}`)).toMatchObject({
      row_count: 30_000,
      created_count: 29_870,
      updated_count: 100,
      skipped_count: 0,
      refused_count: 30,
    })
    const { rows: stored } = await server.services.database.pool.query(
      `select count(*)::int as contacts, count(distinct email)::int as addresses, max(version) as version,
         (select count(*)::int from events where org_id = $1 and type = 'contact.created') as created,
         (select count(*)::int from events where org_id = $1 and type = 'contact.updated') as updated,
         (select count(*)::int from contact_import_refusals where import_id = $2) as refused
       from contacts where org_id = $1`,
      [orgId, id],
    )
    expect(stored).toEqual([{ contacts: 29_970, addresses: 29_970, version: 2, created: 29_970, updated: 100, refused: 30 }])
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await server.close()
  }
}, 240_000)

test('an import whose process is killed three times fails with that reason, and the next server starts', async () => {
  const server = await startApp({ env: { ROLES: 'web,api,session' } })
  const { key } = await server.given.apiKey()
  const { children, startWorker } = workersOf(server)
  try {
    const rows = Array.from({ length: 500_000 }, (_, n) => `row-${n}@example.com\n`).join('')
    const headers = { 'content-type': 'text/csv' }
    const { id } = (await server.rest('POST', imports, { key, body: `email\n${rows}`, headers })).body
    await server.rest('POST', `${imports}/${id}/start`, { key, body: {} })
    const read = async (): Promise<Json> => (await server.rest('GET', `${imports}/${id}`, { key })).body
    for (let deaths = 1; deaths <= 3; deaths++) {
      const { row_count: before } = await read()
      const worker = await startWorker()
      await expect.poll(async () => (await read()).row_count, { timeout: 60_000, interval: 20 }).toBeGreaterThan(before)
      worker.kill('SIGKILL')
    }
    await startWorker()

    await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('failed')
    expect(await read()).toMatchObject({
      status_reason: 'The import was given up: the process that worked on it ended 3 times. The rows so far are imported',
    })
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await server.close()
  }
}, 300_000)

test('an upload of more than 100 MB is refused, announced or not, and none is held in memory', async () => {
  const server = await startApp()
  try {
    const { key, orgId } = await server.given.apiKey()
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv' }
    const announced = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(server.url + imports, { method: 'POST', headers: { ...headers, 'content-length': '100000001' } }, answer => {
        resolve(answer.statusCode)
        sent.destroy()
      })
      sent.on('error', reject)
      sent.write('email\n')
    })
    const before = heldBytes()
    let held = 0
    async function* endless() {
      const part = Buffer.alloc(1_000_000, 'a,b\n')
      for (let count = 0; count < 101; count++) {
        if (count === 95) held = heldBytes() - before
        yield part
      }
    }

    // Not by fetch, which reads the whole body into memory ahead of the socket.
    const answer = await new Promise<{ status: number | undefined; body: Json }>((resolve, reject) => {
      const sent = request(server.url + imports, { method: 'POST', headers }, async response => {
        resolve({ status: response.statusCode, body: await json(response) })
        sent.destroy()
      })
      sent.on('error', reject)
      Readable.from(endless()).pipe(sent)
    })

    expect(announced).toBe(413)
    expect([answer.status, answer.body]).toMatchObject([413, { code: 'payload_too_large', max_bytes: 100_000_000 }])
    expect(held, 'after 95 MB').toBeLessThan(20_000_000)
    expect(await server.services.database.prisma.upload.count({ where: { orgId } })).toBe(0)
  } finally {
    await server.close()
  }
})

// What is left after a collection: resident memory also has what V8 and the allocator keep for later.
setFlagsFromString('--expose-gc')
const collectGarbage: (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void = runInNewContext('gc')
function heldBytes(): number {
  collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
