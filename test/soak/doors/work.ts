// What is done later: imports and exports, calls, enrichment, webhooks.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { steeringNumbers } from '../../../src/voice/providers/simulator-script.ts'
import type { Json, SoakClient, Target } from '../client.ts'
import type { Door } from '../load.ts'

// `silent` lasts the maximum duration, `do_not_call` blocks its number, `slow` and `lost_answer` keep the request for seconds.
const unused: readonly string[] = ['silent', 'do_not_call', 'slow', 'lost_answer']
const numbers = [
  '+15550001234',
  ...Object.entries(steeringNumbers).flatMap(([number, script]) => (unused.includes(script) ? [] : [number])),
]
const file = [
  'email,last_name',
  // Four rows are refused: they have a cell too many.
  ...Array.from({ length: 200 }, (_, index) => `row-${index}@soak.example,Row ${index}${index % 50 === 49 ? ',Inc' : ''}`),
].join('\n')
// Longer than any task waits on a busy machine.
const patienceMs = 120_000

export async function workDoors({ receiver }: Target, { ask }: SoakClient): Promise<Door[]> {
  await ask('POST', '/api/webhooks/v1/endpoints', {
    body: { url: receiver.url, event_types: ['contact.created', 'contact.updated', 'contact.deleted', 'call.ended'] },
    status: 201,
  })
  const agent = await ask('POST', '/api/voice/v1/agents', { body: { name: 'Soak' }, status: 201 })
  const until = async (what: string, path: string, isDone: (body: Json) => boolean): Promise<Json> => {
    for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await sleep(100)) {
      const body = await ask('GET', path)
      if (isDone(body)) return body
    }
    throw new Error(`${what} is not done after two minutes`)
  }

  const files = async () => {
    const imports = '/api/crm/v1/imports'
    const { id } = await ask('POST', imports, { body: file, status: 201 })
    await ask('POST', `${imports}/${id}/start`, { body: { on_conflict: 'update' }, status: 202 })
    const ended = await until('the import', `${imports}/${id}`, ({ status }) => status !== 'running' && status !== 'queued')
    if (ended.status !== 'completed' || ended.refused_count !== 4) throw new Error(`the import: ${JSON.stringify(ended).slice(0, 300)}`)
    const { url } = await ask('POST', '/api/crm/v1/exports', { status: 201 })
    const text = String(await ask('GET', url, { credential: null }))
    if (!text.includes('row-1@soak.example')) throw new Error('the export lacks an imported contact')
  }
  const calls = async (turn: number) => {
    const { id } = await ask('POST', '/api/voice/v1/calls', {
      body: { agent_id: agent.id, to_number: numbers[turn % numbers.length], max_duration_seconds: 30 },
      status: 201,
    })
    await until('the call', `/api/voice/v1/calls/${id}`, ({ ended_at: endedAt }) => endedAt !== null)
  }
  const enrichment = async () => {
    const body = { target: { host_app: 'soak', id: randomUUID(), kind: 'person' }, options: { phone: '+442079460958' } }
    const { job_id: id } = await ask('POST', '/api/enrich/v1/jobs', { body, status: 202 })
    const job = await until('the job', `/api/enrich/v1/jobs/${id}`, ({ status }) => status !== 'queued' && status !== 'running')
    if (job.status !== 'completed') throw new Error(`the job is ${job.status}`)
    const { data } = await ask('GET', `/api/enrich/v1/suggestions?job_id=${id}`)
    for (const suggestion of data) await ask('POST', `/api/enrich/v1/suggestions/${suggestion.id}/reject`, { body: {} })
  }
  return [
    { name: 'files', everyMs: 5000, act: files },
    { name: 'calls', everyMs: 1000, act: calls },
    { name: 'enrichment', everyMs: 1500, act: enrichment },
  ]
}
