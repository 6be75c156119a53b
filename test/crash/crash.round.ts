// Kills the server at random under write load, and checks that nothing acknowledged was lost and nothing was done twice.
//
//   npm run round -- crash                 20 kills, on an embedded database of its own
//   ROUNDS=200 npm run round -- crash
//   ONLY=webhooks npm run round -- crash   contacts and their webhooks alone
//   ONLY=imports npm run round -- crash    contacts, companies, deals, imports, merges and invitations alone
//
// Contacts are written through REST; wakes and agent runs through hooks, whose replies go to a channel (test/crash/gateway.ts);
// credits are spent by a backend (test/crash/credits.ts); changes are received as webhooks (test/crash/webhooks.ts); calls are placed through the simulator (test/crash/calls.ts);
// files are imported, contacts merged, people invited and deals moved (test/crash/imports.ts, merges.ts, invitations.ts, deals.ts).
// Where this machine can mount a disk of the script's own (test/crash/disk.ts), one round in four cuts off its power.
// Every write carries an Idempotency-Key. What was acknowledged goes into a journal outside the server; what was not is asked again
// with its key after the restart, and must then have happened exactly once.

import { randomInt, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { crashCalls } from './calls.ts'
import { crashCredits, type Finding } from './credits.ts'
import { crashDeals } from './deals.ts'
import { makeDisk, withoutDisks } from './disk.ts'
import { crashGateway } from './gateway.ts'
import { crashImports } from './imports.ts'
import { crashInvitations } from './invitations.ts'
import { createJobJournal } from './jobs.ts'
import { crashMerges } from './merges.ts'
import { type Server, startServer } from './server.ts'
import { crashWebhooks } from './webhooks.ts'

const rounds = Number(process.env.ROUNDS ?? 20)
const clients = 20
const only = process.env.ONLY
const [senders, spenders, callers] = only ? [0, 0, 0] : [8, 6, 8]
const [mergers, inviters, sellers] = only === 'webhooks' ? [0, 0, 0] : [3, 1, 3]

interface Contact {
  id: string
  email: string
  version: number
}
interface Write {
  key: string
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: Record<string, unknown>
  email: string
}

const whyNoDisk = await withoutDisks()
if (whyNoDisk) process.stdout.write(`no round cuts off the power: ${whyNoDisk}\n`)
const disk = whyNoDisk ? undefined : makeDisk(4_096)
// Of those outside of the server, whose power is not cut off.
const outside = mkdtempSync(join(tmpdir(), 'rolocom-crash-'))
const dataDir = join(disk?.path ?? outside, 'data')
mkdirSync(dataDir)
const findings: Finding[] = []
const found = (kind: Finding['kind'], text: string): void => {
  findings.push({ kind, text })
  if (findings.length <= 20) process.stdout.write(`${kind}: ${text}\n`)
}
const readyTimes: number[] = []
/** Acknowledged contacts by id: what must be readable for ever. */
const journal = new Map<string, { email: string; deleted: boolean; changes: number }>()
const unknown: Write[] = []
let acknowledged = 0
const gateway = await crashGateway(dataDir, found)
const jobs = createJobJournal(found)
const credits = crashCredits(dataDir, found)
const calls = crashCalls(dataDir, found)
const webhooks = crashWebhooks(outside, found)
const imports = crashImports(found)
const merges = crashMerges(found)
const invitations = crashInvitations(found)
const deals = crashDeals(found)
const parts = only === 'webhooks' ? [] : [imports, merges, invitations, deals]
const start = (key?: string) =>
  startServer(dataDir, key, { ...gateway.environment, ...credits.environment, ...calls.environment, ...webhooks.environment })

async function send(server: Server, write: Write): Promise<{ status: number; body: Record<string, unknown>; replayed: boolean }> {
  const response = await fetch(server.url + write.path, {
    method: write.method,
    headers: { authorization: `Bearer ${server.key}`, 'idempotency-key': write.key, 'content-type': 'application/json' },
    ...(write.body && { body: JSON.stringify(write.body) }),
  })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, body, replayed: response.headers.get('idempotent-replayed') === 'true' }
}

function acknowledge(write: Write, status: number, body: Record<string, unknown>): void {
  if (status >= 500 || body.code === 'idempotency_in_flight') return void unknown.push(write)
  if (status >= 400) {
    const text = `${write.method} ${write.path} of ${write.email} answered ${status}: ${JSON.stringify(body)}`
    // The contact is there, its key's answer is not: effect and marker were torn apart.
    found(body.code === 'already_exists' ? 'torn' : 'lost', text)
    return
  }
  acknowledged++
  if (write.path === jobs.path) {
    jobs.acknowledge(write.key, body)
    return
  }
  const { id, email } = body as unknown as Contact
  const known = journal.get(id)
  if (write.method === 'POST' && known) found('doubled', `two creates were answered with contact ${id}`)
  journal.set(id, {
    email,
    deleted: write.method === 'DELETE',
    changes: (known?.changes ?? 0) + (write.method === 'PATCH' ? 1 : 0),
  })
}

// One client: creates, now and then changes or deletes what it created, until the server is gone.
async function client(server: Server, until: AbortSignal): Promise<void> {
  let mine: Contact[] = []
  while (!until.aborted) {
    const dice = randomInt(10)
    const [first] = mine
    const email = `${randomUUID()}@crash.example`
    let write: Write = { key: randomUUID(), method: 'POST', path: '/api/crm/v1/contacts', body: { email, first_name: 'Crash' }, email }
    if (first && dice < 3) {
      mine = mine.slice(1)
      write = {
        key: randomUUID(),
        method: 'PATCH',
        path: `/api/crm/v1/contacts/${first.id}`,
        body: { city: randomUUID() },
        email: first.email,
      }
    } else if (first && dice === 3) {
      mine = mine.slice(1)
      write = { key: randomUUID(), method: 'DELETE', path: `/api/crm/v1/contacts/${first.id}`, email: first.email }
    }
    if (dice === 9 && !only) write = { key: randomUUID(), method: 'POST', path: jobs.path, body: jobs.newJob(), email: 'a job' }
    try {
      const { status, body } = await send(server, write)
      acknowledge(write, status, body)
      if (status === 201) mine.push(body as unknown as Contact)
    } catch {
      unknown.push(write)
      return
    }
  }
}

// Requests without a response are repeated with their key until they have one: each must have been executed once or not at all.
async function replay(server: Server): Promise<void> {
  for (const write of unknown.splice(0)) {
    for (let attempt = 0; ; attempt++) {
      const { status, body } = await send(server, write)
      if ((body.code === 'idempotency_in_flight' || status >= 500) && attempt < 50) {
        await sleep(100)
        continue
      }
      acknowledge(write, status, body)
      // The same key once more must give the same answer, marked as a replay.
      const again = await send(server, write)
      if (!again.replayed || JSON.stringify(again.body) !== JSON.stringify(body))
        found('doubled', `a replay of ${write.key} gave another answer`)
      break
    }
  }
}

async function read(server: Server, path: string) {
  const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${server.key}` } })
  return {
    status: response.status,
    body: (await response.json()) as Record<string, never> & { data: Record<string, unknown>[]; total: number },
  }
}

// Each acknowledged contact is there once, with one event for each thing that happened to it, and the counts agree.
async function verify(server: Server, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const entry = journal.get(id)
    if (!entry) continue
    const { status } = await read(server, `/api/crm/v1/contacts/${id}`)
    if (status !== (entry.deleted ? 404 : 200)) found('lost', `contact ${id} answers ${status}`)
    const { body: list } = await read(server, `/api/crm/v1/contacts?email=${encodeURIComponent(entry.email)}&include_deleted=true`)
    if (list.data.length !== 1) found(list.data.length > 1 ? 'doubled' : 'lost', `${list.data.length} contacts have ${entry.email}`)
    if (entry.deleted) continue
    const { body: timeline } = await read(server, `/api/crm/v1/contacts/${id}/timeline`)
    const expected = 1 + entry.changes
    if (timeline.data.length !== expected) found('torn', `contact ${id} has ${timeline.data.length} events, ${expected} were expected`)
  }
  const { body: all } = await read(server, '/api/crm/v1/contacts?limit=1&include=total')
  const { body: stats } = await read(server, '/api/crm/v1/stats')
  const counted = (stats.contacts as unknown as { total: number }).total
  if (all.total !== counted) found('torn', `the stats say ${counted} contacts, the table ${all.total}`)
}

test('nothing acknowledged is lost, doubled or torn when the server is killed at random', async () => {
  let server: Server | undefined
  let gatewayFigures = ''
  let webhookFigures = ''
  const partFigures: string[] = []
  try {
    for (let round = 1; round <= rounds; round++) {
      // One round in five dies during its start as well.
      if (round % 5 === 0) {
        const dying = start(server?.key)
        dying.catch(() => {})
        await sleep(randomInt(20, 800))
        await (await Promise.race([dying, sleep(0)]))?.kill()
        await startServer.killStarting()
      }
      server = await start(server?.key)
      readyTimes.push(server.readyMs)
      await replay(server)
      await gateway.replay(server.url)
      await credits.open(server)
      await calls.open(server.url)
      await webhooks.open(server)
      for (const part of parts) await part.open(server.url)

      const before = new Set(journal.keys())
      const stop = new AbortController()
      const { url } = server
      // One round in four takes PostgreSQL down with it, and one the power of both.
      const isCut = disk !== undefined && round % 4 === 2
      const working = [
        ...Array.from({ length: clients }, () => client(server as Server, stop.signal)),
        ...Array.from({ length: senders }, () => gateway.client(url, stop.signal)),
        ...Array.from({ length: spenders }, () => credits.client(url, stop.signal)),
        ...Array.from({ length: callers }, () => calls.client(url, stop.signal)),
        ...Array.from({ length: mergers }, () => merges.client(url, stop.signal)),
        ...Array.from({ length: inviters }, () => invitations.client(url, stop.signal, isCut)),
        ...Array.from({ length: sellers }, () => deals.client(url, stop.signal)),
        webhooks.disturb(),
      ]
      const known = findings.length
      await sleep(randomInt(50, 1500))
      await server.kill({ postgres: round % 4 === 0, ...(isCut && { disk }) })
      stop.abort()
      await Promise.all(working)
      if (findings.length > known) process.stdout.write(`the log of the killed server ends with:\n${server.output().slice(-5000)}\n`)
      if (isCut) await disk.mount()

      server = await start(server.key)
      readyTimes.push(server.readyMs)
      await replay(server)
      await gateway.replay(server.url)
      await credits.replay(server.url)
      await calls.replay(server.url)
      for (const part of parts) await part.replay(server.url)
      await credits.count(server.url)
      await verify(
        server,
        [...journal.keys()].filter(id => !before.has(id)),
      )
      await server.kill({ postgres: false })
      process.stdout.write(
        `round ${round}: ${acknowledged}, ${gateway.acknowledged}, ${credits.acknowledged} and ${calls.acknowledged} acknowledged, ${findings.length} findings\n`,
      )
    }
    server = await start(server?.key)
    await verify(server, [...journal.keys()])
    for (const part of parts) partFigures.push(await part.verify(server.url))
    if (!only) {
      gatewayFigures = await gateway.verify()
      await jobs.verify(path => read(server as Server, path))
      await credits.verify(server.url)
      await calls.verify(server.url)
    }
    const changes = [...journal].map(([id, entry]) => [id, 1 + entry.changes + (entry.deleted ? 1 : 0)] as const)
    webhookFigures = await webhooks.verify(server, new Map(changes))
  } finally {
    await server?.stop()
    await gateway.close()
    await webhooks.close()
    await disk?.remove()
    rmSync(outside, { recursive: true, force: true })
  }

  const count = (kind: Finding['kind']) => findings.filter(finding => finding.kind === kind).length
  const p95 = readyTimes.toSorted((a, b) => a - b)[Math.floor(readyTimes.length * 0.95)] ?? 0
  process.stdout.write(
    `rounds ${rounds}, acks ${acknowledged + gateway.acknowledged + credits.acknowledged + calls.acknowledged}, ${[gatewayFigures, webhookFigures, ...partFigures].filter(Boolean).join(', ')}, deducts ${credits.acknowledged}, calls ${calls.acknowledged}, lost ${count('lost')}, doubled ${count('doubled')}, torn ${count('torn')}, jobs ${jobs.size()}, ready_p95_ms ${Math.round(p95)}\n`,
  )
  expect(findings).toEqual([])
  // With fewer the rounds prove nothing.
  expect(acknowledged).toBeGreaterThanOrEqual(rounds)
})
