// Calls the server through orval's functions.

import assert from 'node:assert/strict'
import { createContact, enqueueEnrichmentJob, getEnrichmentJob, listContacts } from './api.ts'

const headers = { Authorization: `Bearer ${process.env.KEY}` }

const made = await createContact({ email: 'orval@example.com' }, {}, { headers })
assert.equal(made.status, 201)
const page = await listContacts({ q: 'orval' }, { headers })
assert.ok(page.status === 200 && made.status === 201)
assert.deepEqual(page.data.data, [made.data])
// A filter with one value and with several.
const some = await listContacts({ q: 'orval', lifecycle_stage: ['subscriber', 'lead'], source: ['api'] }, { headers })
assert.ok(some.status === 200)
assert.deepEqual(some.data.data, [made.data])
const job = await enqueueEnrichmentJob({ target: { host_app: 'rolocom', id: made.data.id, kind: 'contact' } }, {}, { headers })
assert.ok(job.status === 202)
const read = await getEnrichmentJob(job.data.job_id, { headers })
assert.ok(read.status === 200)
assert.equal(read.data.target.id, made.data.id)

console.log('5 calls')
