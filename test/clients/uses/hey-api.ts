// Calls the server through hey-api's client. The client requests a credential for each security scheme of an operation.

import assert from 'node:assert/strict'
import { client } from './api/client.gen.ts'
import { createContact, listContacts, updateContact } from './api/sdk.gen.ts'

const { URL: baseUrl = '', KEY = '' } = process.env
const asked = new Set<string>()
client.setConfig({
  baseUrl,
  auth: auth => {
    asked.add(auth.name ?? auth.scheme ?? auth.type)
    return auth.scheme === 'bearer' ? KEY : undefined
  },
})

const made = await createContact({ body: { email: 'hey-api@example.com', tags: ['hey'] } })
assert.equal(made.response?.status, 201)
const changed = await updateContact({ path: { contact_id: made.data?.id ?? '' }, body: { add_tags: ['api'] } })
assert.deepEqual(changed.data?.tags, ['hey', 'api'])
// A write accepts bearer tokens only.
assert.deepEqual([...asked], ['bearer'])

const page = await listContacts({ query: { q: 'hey-api', include: 'total' } })
assert.deepEqual([page.data?.total, page.data?.data], [1, [changed.data]])
// A filter with one value and with several.
const some = await listContacts({ query: { q: 'hey-api', tag: ['hey', 'none'], source: ['api'] } })
assert.deepEqual(some.data?.data, [changed.data])
const none = await listContacts({ query: { q: 'hey-api', lifecycle_stage: ['lead', 'customer'] } })
assert.deepEqual(none.data?.data, [])
const wrong = await createContact({ body: { email: 'nobody' } })
assert.equal(wrong.response?.status, 422)

console.log('6 calls')
