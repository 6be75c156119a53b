// PgBouncer in transaction mode, with and without DATABASE_DIRECT_URL, on a cluster whose time zone is not UTC.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../../crash/server.ts'
import { openStream } from '../../graphql/stream.ts'
import type { Row } from '../row.ts'
import { ask, type Caller } from '../traffic.ts'

export const row: Row = {
  name: 'PgBouncer in transaction mode: a revoked key is refused at once everywhere, times are right, live updates come',
  needs: ['pgbouncer'],
  isShort: true,
  // It has a pooler of its own.
  isDirect: true,
  async run(lab) {
    const cluster = await lab.cluster({ timezone: 'Asia/Karachi' })
    const pgbouncer = await lab.pgbouncer(cluster)
    const environment = { DATABASE_URL: cluster.url('rolocom', pgbouncer.port), ALLOW_USER_HEADER: '1', NODE_ENV: 'development' }
    const figures = { lost: 0, doubled: 0, wrong: 0, hung: 0, accepted: 0, shiftedTimes: 0, slowestUpdateMs: 0 }

    for (const direct of [{}, { DATABASE_DIRECT_URL: cluster.url() }] as Record<string, string>[]) {
      const first = await lab.server({ ...environment, ...direct }, lastKey)
      lastKey = first.key
      const second = await lab.server({ ...environment, ...direct }, first.key)
      const [owner] = await cluster.query<{ user_id: string }>('select user_id from memberships limit 1')
      const told = first.output().includes('DATABASE_DIRECT_URL')
      if (told !== !('DATABASE_DIRECT_URL' in direct)) lab.found(`the log ${told ? 'names' : 'does not name'} DATABASE_DIRECT_URL`)
      if (told !== !('DATABASE_DIRECT_URL' in direct)) figures.wrong++

      const traffic = lab.traffic([first, second])
      await sleep(3_000)
      for (let i = 0; i < 5; i++) figures.accepted += await acceptedAfterRevocation([first, second], String(owner?.user_id))
      figures.shiftedTimes += await shiftedTimes(first, String(owner?.user_id))
      figures.slowestUpdateMs = Math.max(figures.slowestUpdateMs, await updateMs(first, second))
      const verdict = await traffic.verdict()
      for (const figure of ['lost', 'doubled', 'wrong', 'hung'] as const) figures[figure] += verdict[figure]
      for (const server of [first, second]) await server.stop()
    }
    return figures
  },
  limits: { accepted: 0, shiftedTimes: 0, slowestUpdateMs: 4_000 },
}

let lastKey: string | undefined

const graphql = (caller: Caller, query: string, variables?: Record<string, unknown>) =>
  ask(caller, 'POST', '/graphql', 15_000, { query, variables })

/** Makes a key, uses it everywhere, revokes it at the first server, and counts the requests that it still opens. */
async function acceptedAfterRevocation(servers: readonly Server[], userId: string): Promise<number> {
  const [first] = servers
  if (!first) return 0
  const owner = { url: first.url, key: '', userId }
  const { body } = await graphql(owner, 'mutation { createApiKey(input: { label: "short", scopes: [ALL] }) { apiKey { id } key } }')
  const made = (body.data as { createApiKey: { apiKey: { id: string }; key: string } } | undefined)?.createApiKey
  if (!made) throw new Error(`no key: ${JSON.stringify(body)}`)
  const uses = (server: Server) => ask({ url: server.url, key: made.key }, 'GET', '/api/crm/v1/contacts?limit=1')
  for (let i = 0; i < 10; i++)
    for (const server of servers) if ((await uses(server)).status !== 200) throw new Error('a new key is refused')
  await ask(owner, 'POST', '/graphql', 15_000, {
    query: 'mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id } }',
    variables: { id: made.apiKey.id },
  })
  const after = await Promise.all(servers.flatMap(server => Array.from({ length: 10 }, () => uses(server))))
  return after.filter(({ status }) => status !== 401).length
}

/** How many times of a contact made now are more than a minute off, through SQL, Prisma and the database's own clock. */
async function shiftedTimes(server: Server, userId: string): Promise<number> {
  const { body } = await ask(server, 'POST', '/api/crm/v1/contacts', 6_500, { email: `${crypto.randomUUID()}@faults.example` })
  const { body: read } = await ask(server, 'GET', `/api/crm/v1/contacts/${body.id}`)
  const { body: keys } = await graphql({ ...server, userId }, '{ apiKeys { createdAt lastUsedAt } }')
  const [key] = (keys.data as { apiKeys: { createdAt: string; lastUsedAt: string | null }[] }).apiKeys
  const times = [body.created_at, read.created_at, read.updated_at, key?.createdAt, key?.lastUsedAt ?? new Date().toISOString()]
  return times.filter(time => !(Math.abs(Date.parse(String(time)) - Date.now()) < 600_000)).length
}

/** Milliseconds from a write at one server until a subscriber of the other is told of it. */
async function updateMs(writer: Server, reader: Server): Promise<number> {
  const stream = await openStream(`${reader.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${reader.key}`, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { contactChanged { __typename } }' }),
  })
  const begun = performance.now()
  await ask(writer, 'POST', '/api/crm/v1/contacts', 6_500, { email: `${crypto.randomUUID()}@faults.example` })
  await stream.next(15_000)
  const ms = performance.now() - begun
  stream.leave()
  return ms
}
