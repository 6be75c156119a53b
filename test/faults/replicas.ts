// Servers that read from a standby, and clients that create a contact at one of them and at once look for it in a list of another.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Server } from '../crash/server.ts'
import type { Cluster } from './cluster.ts'
import type { Lab } from './lab.ts'
import { ask } from './traffic.ts'

/** A primary, a standby, and two servers that use both. */
export async function replicated(lab: Lab): Promise<{ standby: Cluster; servers: readonly [Server, Server] }> {
  const primary = await lab.cluster()
  const standby = await lab.standby(primary)
  const environment = { DATABASE_URL: primary.url(), DATABASE_READ_URLS: standby.url() }
  const first = await lab.server(environment)
  const servers = [first, await lab.server(environment, first.key)] as const
  await allUse(servers, 1)
  return { standby, servers }
}

interface OwnReads {
  /** How many contacts are created and looked for. */
  reads: number
  /** How many clients do so at once. */
  clients: number
  found(text: string): void
}

/**
 * Counts the lists that did not show a contact whose creation had been acknowledged, and the percentage of lists that the first server read
 * from the primary. Throws when a request fails.
 */
export async function ownReads(
  [first, second]: readonly [Server, Server],
  { reads, clients, found }: OwnReads,
): Promise<{ stale: number; onPrimaryPercent: number }> {
  const limit = pLimit(clients)
  let stale = 0
  const createAndFind = async (index: number) => {
    const [writer, reader] = index % 2 === 0 ? [first, second] : [second, first]
    const email = `${randomUUID()}@faults.example`
    const created = await ask(writer, 'POST', '/api/crm/v1/contacts', 10_000, { email })
    if (created.status !== 201) throw new Error(`a contact was answered ${created.status}`)
    const listed = await ask(reader, 'GET', `/api/crm/v1/contacts?email=${encodeURIComponent(email)}`, 10_000)
    if (listed.status !== 200) throw new Error(`a list was answered ${listed.status}`)
    if ((listed.body.data as unknown[]).length === 1) return
    stale++
    found(`${email} was created, and is not in the list`)
  }
  await Promise.all(Array.from({ length: reads }, (_, index) => limit(createAndFind, index)))
  return { stale, onPrimaryPercent: await percentOnPrimary(first) }
}

/** Milliseconds until every server uses `count` replicas. A write first, or a standby that replays nothing would not be behind. */
export async function allUse(servers: readonly Server[], count: 0 | 1): Promise<number> {
  const begun = performance.now()
  for (const server of servers)
    for (const deadline = begun + 30_000; (await metric(server, 'rolocom_replicas{state="used"}')) !== count; await sleep(20)) {
      if (performance.now() > deadline) throw new Error(`after 30 s not ${count} replicas are used: ${server.output().slice(-500)}`)
      if (count === 0) await ask(server, 'POST', '/api/crm/v1/contacts', 6_500, { email: `${randomUUID()}@faults.example` })
    }
  return performance.now() - begun
}

async function percentOnPrimary(server: Server): Promise<number> {
  const replica = await metric(server, 'rolocom_reads_total{server="replica"}')
  const primary = await metric(server, 'rolocom_reads_total{server="primary"}')
  return (100 * primary) / (replica + primary)
}

async function metric(server: Server, name: string): Promise<number> {
  const text = await fetch(`${server.url}/metrics`).then(answer => answer.text())
  const line = text.split('\n').find(line => line.startsWith(`${name} `))
  return line === undefined ? 0 : Number(line.slice(name.length))
}
