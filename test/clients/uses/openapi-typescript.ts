// Calls the server through the types of openapi-typescript: optional fields may be left out, and enums are unions of strings.

import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { components, paths } from './api.ts'

const { URL: baseUrl = '', KEY } = process.env
const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${KEY}` } })

const stage: components['schemas']['LifecycleStage'] = 'lead'
const made = await api.POST('/api/crm/v1/contacts', { body: { email: 'openapi-typescript@example.com', lifecycle_stage: stage } })
assert.equal(made.data?.lifecycle_stage, 'lead')
const taken = await api.POST('/api/crm/v1/contacts', { body: { email: 'openapi-typescript@example.com' } })
assert.equal(taken.response.status, 409)

const page = await api.GET('/api/crm/v1/contacts', { params: { query: { q: 'openapi-typescript' } } })
assert.deepEqual(page.data?.data, [made.data])
// A filter with one value and with several.
for (const lifecycle_stage of [['lead'], ['customer', 'lead']] as const) {
  const some = await api.GET('/api/crm/v1/contacts', {
    params: { query: { q: 'openapi-typescript', lifecycle_stage: [...lifecycle_stage] } },
  })
  assert.deepEqual(some.data?.data, [made.data])
}
const none = await api.GET('/api/crm/v1/contacts', { params: { query: { lifecycle_stage: ['evangelist', 'opportunity'] } } })
assert.deepEqual(none.data?.data, [])
const batch = await api.POST('/api/crm/v1/contacts/batch', { body: { contacts: [{ email: 'batch-ot@example.com' }] } })
assert.deepEqual([batch.data?.succeeded, batch.data?.failed], [1, 0])

const agent = await api.POST('/api/voice/v1/agents', { body: { name: 'openapi-typescript', phone_number: '+15550101001' } })
const agent_id = agent.data?.id ?? ''
const call = await api.POST('/api/voice/v1/calls', { body: { agent_id, to_number: '+15550123456' } })
// An outcome is an enum value or empty.
const outcome: components['schemas']['CallOutcome'] | '' | undefined = call.data?.outcome
assert.equal(outcome, '')

console.log('10 calls')
