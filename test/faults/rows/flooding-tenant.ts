// One organization floods the server with writes: another one's requests stay about as quick as without it.

import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../../crash/server.ts'
import { startFlood } from '../../support/flood.ts'
import type { Figures, Row } from '../row.ts'
import { ask } from '../traffic.ts'

interface Seeded {
  service_token: string
  orgs: { api_key: string; user_id: string }[]
}
type Kind = 'create' | 'read' | 'list' | 'deduct'

const root = join(import.meta.dirname, '../../..')
const contacts = '/api/crm/v1/contacts'

export const row: Row = {
  name: 'one organization floods writes: the p95 of another stays under three times its quiet one',
  isShort: false,
  async run(lab) {
    const cluster = await lab.cluster()
    const environment = { DATABASE_URL: cluster.url(), SVC_SERVICES_TOKEN: randomUUID(), IDENTITY_SECRET: randomUUID() }
    const server = await lab.server(environment)
    const seeded = await seed(environment)
    const [flooding, other] = seeded.orgs
    if (!flooding || !other) throw new Error('two organizations are needed')
    const quiet = new Map<Kind, number[]>()
    const flooded = new Map<Kind, number[]>()
    const figures = { lost: 0, doubled: 0, wrong: 0, hung: 0 }
    const neighbour = { server: { ...server, key: other.api_key }, token: seeded.service_token, userId: other.user_id, figures }
    await useFor(2_000, neighbour, new Map())
    // In turns, so that what else the machine does falls on both.
    let floods = 0
    for (let round = 0; round < 4; round++) {
      await useFor(4_000, neighbour, quiet)
      const flood = startFlood({
        url: server.url,
        key: flooding.api_key,
        connections: 100,
        path: contacts,
        body: '{"email":"{{n}}@flood.example"}',
      })
      await sleep(1_000)
      await useFor(4_000, neighbour, flooded)
      floods += await flood.end()
      await sleep(500)
    }
    const result: Figures = { ...figures, floodWritesPerSecond: floods / 4 }
    for (const [kind, before] of quiet) {
      const after = flooded.get(kind) ?? []
      for (const part of [50, 95] as const) {
        result[`${kind}QuietP${part}Ms`] = percentile(before, part)
        result[`${kind}FloodP${part}Ms`] = percentile(after, part)
      }
      result[`${kind}P95PercentOfQuiet`] = (100 * percentile(after, 95)) / percentile(before, 95)
    }
    return result
  },
  // Each by itself: together the slow kinds would hide the quick ones.
  limits: { createP95PercentOfQuiet: 300, readP95PercentOfQuiet: 300, listP95PercentOfQuiet: 300, deductP95PercentOfQuiet: 300 },
}

interface Neighbour {
  server: Pick<Server, 'url' | 'key'>
  token: string
  userId: string
  figures: Pick<Figures, 'wrong' | 'hung'>
}

/** One client that asks for one thing after another, and how long each took. */
async function useFor(ms: number, { server, token, userId, figures }: Neighbour, took: Map<Kind, number[]>): Promise<void> {
  let last = ''
  const asks: Record<Kind, () => ReturnType<typeof ask>> = {
    create: () => ask(server, 'POST', contacts, 10_000, { email: `${randomUUID()}@quiet.example` }, randomUUID()),
    read: () => ask(server, 'GET', `${contacts}/${last}`, 10_000),
    list: () => ask(server, 'GET', `${contacts}?limit=20`, 10_000),
    deduct: () => deduct(server.url, token, userId),
  }
  for (const until = performance.now() + ms; performance.now() < until; )
    for (const kind of ['create', 'read', 'list', 'deduct'] as const) {
      const sentAt = performance.now()
      const { status, body } = await asks[kind]()
      took.set(kind, [...(took.get(kind) ?? []), performance.now() - sentAt])
      if (kind === 'create') last = String(body.id)
      if (status === 'hung') figures.hung++
      else if (typeof status !== 'number' || status >= 300) figures.wrong++
    }
}

async function deduct(url: string, token: string, userId: string): ReturnType<typeof ask> {
  const response = await fetch(`${url}/api/credits/deduct`, {
    method: 'POST',
    headers: { 'x-svc-services-token': token, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ user_id: userId, amount: 0.01 }),
    signal: AbortSignal.timeout(10_000),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function seed(environment: Record<string, string>): Promise<Seeded> {
  const child: ChildProcess = spawn(process.execPath, [join(root, 'src/main.ts'), 'seed', '--json'], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout?.on('data', chunk => (said += chunk))
  await once(child, 'close')
  return JSON.parse(said) as Seeded
}

function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor((values.length * part) / 100))] ?? 0
}
