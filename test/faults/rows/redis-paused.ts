// Redis keeps its connections and answers nothing: requests are served meanwhile, each process counting alone.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../row.ts'
import { ask } from '../traffic.ts'

const reads = 20

export const row: Row = {
  name: 'Redis paused: no request waits longer than a moment for its count, and processes count together again after it',
  needs: ['redis-server'],
  isShort: true,
  async run(lab) {
    const [cluster, redis] = await Promise.all([lab.cluster(), lab.redis()])
    const environment = {
      DATABASE_URL: cluster.url(),
      REDIS_URL: redis.url,
      RATE_LIMIT: '1',
      RATE_LIMIT_READS: '1000000',
      RATE_LIMIT_WRITES: '1000000',
      RATE_LIMIT_ORGANIZATION_READS: '1000000',
      RATE_LIMIT_ORGANIZATION_WRITES: '1000000',
    }
    const first = await lab.server(environment)
    const second = await lab.server(environment, first.key)
    const traffic = lab.traffic([first], { patienceMs: 3_000 })
    // Slow first requests would count their wait before the fault as well.
    await traffic.recovered()
    redis.pause()
    const slowest = await slowestRead(first)
    await sleep(5_000)
    redis.resume()
    const resumedAt = performance.now()
    await traffic.recovered()
    const figures = { recoveryMs: traffic.recoveryMs(resumedAt), ...(await traffic.verdict()) }
    await sleep(2_500)
    // Counted together: what one process counts, the other has less of.
    const before = await remaining(second)
    for (let i = 0; i < reads; i++) await ask(first, 'GET', '/api/crm/v1/contacts?limit=1')
    const shared = before - (await remaining(second))
    return { ...figures, slowestMs: slowest, unshared: shared > reads ? 0 : 1 }
  },
  limits: { refused: 0, slowestMs: 2_000, unshared: 0 },
}

async function slowestRead(server: Parameters<typeof ask>[0]): Promise<number> {
  let slowest = 0
  for (let i = 0; i < 50; i++) {
    const begun = performance.now()
    await ask(server, 'GET', '/api/crm/v1/contacts?limit=1')
    slowest = Math.max(slowest, performance.now() - begun)
  }
  return slowest
}

async function remaining({ url, key }: Parameters<typeof ask>[0]): Promise<number> {
  const { headers } = await fetch(`${url}/api/crm/v1/contacts?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
}
