// Measures the latency of an authenticated caller's page of 50 during expensive GraphQL queries on forty unauthenticated connections.

import { Worker } from 'node:worker_threads'
import { isAlive } from './bodies.ts'
import { atMost, type Figure } from './report.ts'
import { type Attacked, startAttacked } from './server.ts'

const page = '{ contacts(first: 50) { nodes { id email firstName lastName phone companyName createdAt } } }'

const seconds = 20
const most = 5
// Another process of the machine makes a page slow now and then, and a server that makes it wait does so each time.
const rounds = 3

/** Rate limits are enabled, as by default: they are part of the protection. */
export async function flood(): Promise<Figure[]> {
  const limits = { RATE_LIMIT_READS: '1000000', RATE_LIMIT_WRITES: '1000000', RATE_LIMIT_ORGANIZATION_READS: '1000000' }
  const server = await startAttacked({ RATE_LIMIT: '1', ...limits })
  try {
    await fill(server)
    await honest(server, 3)
    const figures: Figure[] = []
    for (const who of ['anonymous', 'guest'] as const) {
      const found = [await beside(server, who, seconds)]
      while (found.length < rounds && found.every(({ slower }) => slower > most)) found.push(await beside(server, who, seconds))
      const sum = (figure: 'count' | 'failed' | 'errors') => found.reduce((total, one) => total + one[figure], 0)
      figures.push(
        atMost(`${who}: p99 of the honest page, in times of its quiet`, Math.min(...found.map(({ slower }) => slower)), most),
        atMost(`${who}: honest requests that failed, of ${sum('count')}`, sum('failed'), 0),
        atMost(`${who}: answers with 5xx`, sum('errors'), 0),
      )
    }
    return [...figures, atMost('processes lost', isAlive(server.pid) ? 0 : 1, 0)]
  } finally {
    await server.end()
  }
}

/** Measures the honest page alone, and then beside the flood. `errors`: the flood's answers with 5xx. */
async function beside(server: Attacked, who: 'anonymous' | 'guest', seconds: number) {
  const quiet = await honest(server, seconds)
  const worker = new Worker(new URL('flooder.ts', import.meta.url), { workerData: { url: server.url, who, connections: 40 } })
  const counts = new Promise<Record<string, number>>(resolve => worker.once('message', resolve))
  await honest(server, 1)
  const { p50, p99, count, failed } = await honest(server, seconds)
  worker.postMessage('stop')
  const statuses = await counts
  console.log(`  ${who}: quiet p50 ${quiet.p50.toFixed(1)} p99 ${quiet.p99.toFixed(1)} ms (${quiet.count})`)
  console.log(`  ${who}: beside p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} ms (${count}), their answers:`, statuses)
  const errors = Object.entries(statuses).reduce((sum, [status, n]) => sum + (Number(status) >= 500 ? n : 0), 0)
  return { slower: p99 / quiet.p99, count, failed, errors }
}

async function fill(server: Attacked): Promise<void> {
  const contacts = Array.from({ length: 100 }, (_, index) => ({
    email: `honest${index}@example.com`,
    first_name: 'Honest',
    phone: '+442079460000',
  }))
  const { body } = await server.ask('POST', '/api/crm/v1/contacts/batch', {
    headers: { authorization: `Bearer ${server.key}` },
    body: { contacts },
  })
  if (body.succeeded !== 100) throw new Error(`the contacts were not made: ${JSON.stringify(body).slice(0, 300)}`)
}

/** Sends the page query sequentially for the given seconds. */
async function honest(server: Attacked, seconds: number): Promise<{ p50: number; p99: number; count: number; failed: number }> {
  const headers = { authorization: `Bearer ${server.key}` }
  const until = performance.now() + seconds * 1000
  const times: number[] = []
  let failed = 0
  while (performance.now() < until) {
    const started = performance.now()
    const { body } = await server.ask('POST', '/graphql', { headers, body: { query: page } })
    times.push(performance.now() - started)
    if (body?.data?.contacts?.nodes.length !== 50) failed++
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99), count: times.length, failed }
}
