// One visit of the scaling bench: what a client asks for in turn, each answer checked. Its work in the background: an enrichment job, a call,
// and two webhooks.

import { randomUUID } from 'node:crypto'
import type { Pool } from 'undici'

/** Requests of a visit. */
export const requestsPerVisit = 10

export interface Visited {
  /** An API key of the organization whose contacts are read, and one of the organization that is written. */
  readerKey: string
  writerKey: string
  writerOrgId: string
  agentId: string
  /** Contacts of the organization that is read. */
  contactIds: readonly string[]
}

const contacts = '/api/crm/v1/contacts'

/** Throws at the first answer that is not the expected one. */
export async function visit(pool: Pool, { readerKey, writerKey, agentId, contactIds }: Visited, n: number): Promise<void> {
  const ask = async (method: 'GET' | 'POST', path: string, key: string, status: number, part: string, body?: object) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    }
    const answer = await pool.request({ method, path, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await answer.body.text()
    if (answer.statusCode !== status || !text.includes(part))
      throw new Error(`${method} ${path} was answered ${answer.statusCode}, in place of ${status} with ${part}: ${text.slice(0, 300)}`)
    return text
  }
  for (let time = 0; time < 2; time++) {
    const page = await ask('GET', `${contacts}?limit=50`, readerKey, 200, '"has_more":true')
    const count = page.split('"lifecycle_stage":').length - 1
    if (count !== 50) throw new Error(`a page has ${count} contacts in place of 50`)
    for (let read = 0; read < 2; read++) {
      const id = contactIds[(n * 7 + time * 3 + read) % contactIds.length] ?? ''
      await ask('GET', `${contacts}/${id}`, readerKey, 200, `"id":"${id}"`)
    }
    const email = `visit-${n}-${time}-${randomUUID()}@example.test`
    await ask('POST', contacts, writerKey, 201, `"email":"${email}"`, { email, first_name: 'Ada', last_name: 'Lovelace' })
  }
  const target = { host_app: 'bench', id: randomUUID(), kind: 'person' }
  await ask('POST', '/api/enrich/v1/jobs', writerKey, 202, '"job_id":', { target, options: { phone: '+442079460000' } })
  const call = { agent_id: agentId, to_number: `+1555000${2000 + (n % 7000)}` }
  await ask('POST', '/api/voice/v1/calls', writerKey, 201, agentId, call)
}
