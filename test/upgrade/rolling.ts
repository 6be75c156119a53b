// One upgrade: an old server under load, the migration, a new server beside it, the end of the old one.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { applyMigrations, type MigrationFiles } from '../../src/database/migrations/migrate.ts'
import { crashCalls } from '../crash/calls.ts'
import type { Server } from '../crash/server.ts'
import { crashWebhooks } from '../crash/webhooks.ts'
import { startBalancer } from '../faults/balancer.ts'
import type { Lab } from '../faults/lab.ts'
import { ask, type Traffic } from '../faults/traffic.ts'

export interface Upgrade {
  /** A database that is migrated as the old release wants it. */
  url: string
  /** The sources of the old release. */
  from: string
  /** The migrations of the new release. Default: those of this working tree. */
  files?: MigrationFiles
}

// Writes of contacts between two steps, with everything else that is asked meanwhile: for each server to do work of the other one's callers.
const writesPerStep = 20

/** Resolves with what went wrong. */
export async function upgradeUnderLoad(lab: Lab, { url, from, files }: Upgrade): Promise<string[]> {
  const wrong: string[] = []
  const found = (kind: string, text: string) => void wrong.push(`${kind}: ${text}`)
  const dataDir = lab.folder()
  const calls = crashCalls(dataDir, found, url)
  const webhooks = crashWebhooks(dataDir, found)
  const environment = {
    ...{
      DATABASE_URL: url,
      NODE_ENV: 'development',
      // Several times what the balancer needs to notice, because a busy machine answers late.
      DRAIN_SECONDS: '8',
      ROLES: 'api,session,gateway,worker',
      BUNDLE: '0',
      SIGN_UP: 'open',
    },
    ...{ SVC_SERVICES_TOKEN: randomUUID(), IDENTITY_SECRET: randomUUID() },
    ...calls.environment,
    ...webhooks.environment,
  }
  const old = await lab.server(environment, undefined, dataDir, from)
  const servers = [old]
  const balancer = await startBalancer(servers)
  const stop = new AbortController()
  try {
    await calls.open(old.url)
    await webhooks.open(old)
    const front = { ...old, url: balancer.url }
    const traffic = lab.traffic([front], { clients: 4, pauseMs: 30, patienceMs: 15_000 })
    const writers = createGraphQLWriter(front)
    const working = [calls.client(balancer.url, stop.signal, 100), writers.run(stop.signal)]
    const step = () => moreWrites(traffic, found)
    await step()

    const migratedAt = performance.now()
    const applied = await applyMigrations(url, files)
    const migratedMs = performance.now() - migratedAt
    await step()
    await ready(old, found)
    const next = await lab.server(environment, old.key, dataDir)
    servers.push(next)
    await ready(next, found)
    await balancer.uses(next)
    await step()
    await step()
    const exitStatus = await old.stop()
    if (exitStatus !== 0) found('wrong', `the old server ended with ${exitStatus}: ${old.output().slice(-500)}`)
    servers.shift()
    await step()

    stop.abort()
    await Promise.all(working)
    const { acknowledged = 0, ...counted } = await traffic.verdict()
    for (const [figure, count] of Object.entries(counted)) if (count) found(figure, `${count} in the contacts' traffic`)
    if (balancer.failures() > 0) found('wrong', `${balancer.failures()} answers of 500 and above`)
    if (balancer.resets() > 0) found('wrong', `${balancer.resets()} connections closed without an answer`)
    await writers.verify(found)
    await calls.verify(next.url)
    const received = await webhooks.verify(next, new Map([...traffic.acknowledged(), ...writers.ids()].map(id => [id, 1])))
    for (const { output } of [old, next])
      for (const line of output().split('\n')) if (/"level":"?(error|50|60)/.test(line)) found('logged', line.slice(0, 3000))
    lab.found(
      `${applied.length} migrations in ${Math.round(migratedMs)} ms; ${balancer.requests()} requests, ${acknowledged + writers.ids().length} contacts, ${calls.acknowledged} calls, ${received}`,
    )
  } finally {
    stop.abort()
    balancer.close()
    await webhooks.close()
  }
  return wrong
}

async function moreWrites(traffic: Traffic, found: (kind: string, text: string) => void): Promise<void> {
  const enough = traffic.acknowledged().length + writesPerStep
  for (const deadline = performance.now() + 60_000; traffic.acknowledged().length < enough; await sleep(100))
    if (performance.now() > deadline) return found('hung', `no ${writesPerStep} writes were acknowledged within a minute`)
}

/** A server that counts as not ready for another reason than a busy machine stays so. */
async function ready(server: Server, found: (kind: string, text: string) => void): Promise<void> {
  let body: unknown
  for (const deadline = performance.now() + 20_000; performance.now() < deadline; await sleep(300)) {
    const answer = await ask(server, 'GET', '/readyz', 5_000)
    if (answer.status === 200) return
    body = answer.body
  }
  found('wrong', `a server is not ready: ${JSON.stringify(body)}`)
}

/** A writer through GraphQL, one mutation after another. */
function createGraphQLWriter(front: Server) {
  const byEmail = new Map<string, string>()
  const failures: string[] = []
  return {
    ids: () => [...byEmail.values()],
    async run(until: AbortSignal): Promise<void> {
      while (!until.aborted) {
        const email = `${randomUUID()}@upgrade.example`
        const query = 'mutation ($email: String!) { createContact(input: { email: $email, city: "Berlin" }) { id city } }'
        const { status, body } = await ask(front, 'POST', '/graphql', 15_000, { query, variables: { email } })
        const id = (body.data as { createContact?: { id: string } | null } | undefined)?.createContact?.id
        if (id) byEmail.set(email, id)
        else failures.push(`${status} ${JSON.stringify(body).slice(0, 300)}`)
        await sleep(100)
      }
    },
    async verify(found: (kind: string, text: string) => void): Promise<void> {
      for (const failure of failures) found('wrong', `a mutation was answered ${failure}`)
      for (const [email, id] of byEmail) {
        const { body } = await ask(front, 'GET', `/api/crm/v1/contacts?email=${encodeURIComponent(email)}`, 30_000)
        const ids = (body.data as { id: string }[] | undefined)?.map(contact => contact.id) ?? []
        if (ids.length !== 1 || ids[0] !== id) found(ids.length > 1 ? 'doubled' : 'lost', `${email} is ${ids.length} contacts`)
      }
    },
  }
}
