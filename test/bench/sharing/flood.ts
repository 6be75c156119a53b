// A process that posts as quickly as it is answered: url, API key, connections, path, body. `{{n}}` in the body becomes a number that was
// never sent before, `{{4}}` one of four digits. A refusal makes its connection wait for a tenth of a second. On SIGTERM it prints the
// accepted requests per second, and ends.

import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

const [url = '', key = '', connections = '1', path = '', body = ''] = process.argv.slice(2)
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
    const answer = await pool.request({ method: 'POST', path, headers, body: own })
    await answer.body.dump()
    if (answer.statusCode < 300) accepted++
    else await sleep(100)
  }
}
await Promise.all(Array.from({ length: Number(connections) }, sender))
