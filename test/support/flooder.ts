// A process that posts as quickly as it is answered, each time with an idempotency key: url, API key, connections, path, body, and the
// milliseconds that a connection waits after a refusal. `{{n}}` in the body becomes a number that was never sent before, `{{4}}` one of four
// digits. On SIGTERM it prints the accepted requests per second, and ends. Started by flood.ts.

import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

const [url = '', key = '', connections = '1', path = '', body = '', pauseMs = '0'] = process.argv.slice(2)
const pool = new Pool(url, { connections: Number(connections), pipelining: 1 })
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const run = randomInt(1e6, 1e7)
const startedAt = performance.now()
let sent = 0
let accepted = 0
process.once('SIGTERM', () => {
  console.log(accepted / ((performance.now() - startedAt) / 1000))
  process.exit(0)
})

const sender = async () => {
  for (;;) {
    const own = body.replaceAll('{{n}}', `${run}${++sent}`).replaceAll('{{4}}', String(2000 + (sent % 7000)))
    const answer = await pool.request({ method: 'POST', path, headers: { ...headers, 'idempotency-key': randomUUID() }, body: own })
    await answer.body.dump()
    if (answer.statusCode < 300) accepted++
    else if (pauseMs !== '0') await sleep(Number(pauseMs))
  }
}
await Promise.all(Array.from({ length: Number(connections) }, sender))
