// A process that creates contacts over as many connections as it is told, each as quickly as it is answered: url, API key, connections.
// On SIGTERM it prints the creates per second, and ends.

import { randomUUID } from 'node:crypto'
import { Pool } from 'undici'

const [url = '', key = '', connections = '1'] = process.argv.slice(2)
const pool = new Pool(url, { connections: Number(connections), pipelining: 1 })
const startedAt = performance.now()
let created = 0
process.once('SIGTERM', () => {
  console.log(created / ((performance.now() - startedAt) / 1000))
  process.exit(0)
})

const writer = async () => {
  for (;;) {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/api/crm/v1/contacts',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ email: `${randomUUID()}@flood.example` }),
    })
    await body.dump()
    if (statusCode === 201) created++
  }
}
await Promise.all(Array.from({ length: Number(connections) }, writer))
