// Subscriptions to jobs and suggestions, statement counts of lists, and guests.

import { describe, expect, onTestFinished, test } from 'vitest'
import { seedFirst } from '../../prisma/seed/seed.ts'
import { openStream } from '../graphql/stream.ts'
import { conforming } from '../rest/conforming.ts'
import { type Json, startApp } from '../support/app.ts'
import { keepOpen } from '../support/open.ts'
import { enriched, givenContact } from './outcome.ts'
import { lookup, startEnriching, startSource } from './source.ts'

const source = await keepOpen(startSource())
const app = await keepOpen(startEnriching([lookup(source.url)]))

const follow = (key: string, query: string) =>
  openStream(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query }),
  })

test('changes of a job and its suggestions are published to their organization only', async () => {
  source.says('/lookup', { sure: 0.9, job: 'Analyst' })
  const { key } = await app.given.apiKey()
  const stranger = await app.given.apiKey()
  const contact = await givenContact(app, key, { email: 'live@example.com' })
  const jobs = await follow(key, 'subscription { enrichmentJobChanged { type job { id status suggestionCount } } }')
  const suggestions = await follow(
    key,
    `subscription { suggestionChanged(contactId: "${contact.id}") { type suggestion { id field status proposedValue contact { email } } } }`,
  )
  const foreign = await follow(stranger.key, 'subscription { enrichmentJobChanged { type } }')

  const job = await enriched(app, key, { target: { host_app: 'rolocom', id: contact.id, kind: 'contact' }, recipe: 'lookup' })

  const told: string[] = []
  while (told.at(-1) !== 'ENRICHMENT_JOB_COMPLETED') told.push((await jobs.next()).data.data.enrichmentJobChanged.type)
  expect(told).toEqual(['ENRICHMENT_JOB_QUEUED', 'ENRICHMENT_JOB_RUNNING', 'ENRICHMENT_JOB_COMPLETED'])
  const made = (await suggestions.next()).data.data.suggestionChanged
  expect(made).toMatchObject({
    type: 'SUGGESTION_CREATED',
    suggestion: { field: 'jobTitle', proposedValue: 'Analyst', contact: { email: 'live@example.com' } },
  })
  const accept = `mutation { acceptSuggestion(input: { id: "${made.suggestion.id}" }) { status decidedBy { type } job { id } } }`
  const { body } = await app.graphql(accept, {}, { key })
  expect(body.data.acceptSuggestion).toEqual({ status: 'ACCEPTED', decidedBy: { type: 'API_KEY' }, job: { id: job.job_id } })
  expect((await suggestions.next()).data.data.suggestionChanged).toMatchObject({
    type: 'SUGGESTION_ACCEPTED',
    suggestion: { status: 'ACCEPTED' },
  })
  await foreign.silence(300)
  for (const stream of [jobs, suggestions, foreign]) stream.leave()
})

test('lists of contacts with fieldMeta and of jobs with suggestions need the same number of statements for any length', async () => {
  source.says('/lookup', { sure: 0.9, job: 'Analyst', city: 'Rome' })
  const { key } = await app.given.apiKey()
  // The app has no worker: its statements would be counted as well.
  const quiet = await startApp({ database: app.database })
  onTestFinished(() => quiet.close())
  const ask = async () => {
    const query =
      '{ contacts(first: 20) { nodes { id fieldMeta { field suggestion { id } } } } enrichmentJobs(first: 20) { nodes { contact { id } suggestions { id job { id } } } } }'
    quiet.statements()
    const { body } = await quiet.graphql(query, {}, { key })
    expect(body.errors).toBeUndefined()
    return { statements: quiet.statements(), jobs: body.data.enrichmentJobs.nodes.length }
  }
  // The minimum of several runs: on a busy machine the credential cache may expire in between.
  const least = async () => {
    const asked = [await ask(), await ask(), await ask(), await ask(), await ask()]
    return { ...asked[0], statements: Math.min(...asked.map(({ statements }) => statements)) }
  }
  const add = async (email: string) => {
    const { id } = await givenContact(app, key, { email })
    await enriched(app, key, { target: { host_app: 'rolocom', id, kind: 'contact' }, recipe: 'lookup' })
  }
  await add('one@example.com')
  const few = await least()
  for (const email of ['two@example.com', 'three@example.com', 'four@example.com']) await add(email)

  expect(await least()).toEqual({ ...few, jobs: 4 })
})

describe('a guest', () => {
  test('reads jobs, suggestions and the dashboard of the demo, and writes nothing', async () => {
    await seedFirst(app.services)
    const rest = conforming(app)
    const headers = { 'x-guest-id': 'guest' }

    const jobs = await rest('GET', '/api/enrich/v1/jobs?include=total&limit=5', { headers })
    const pending = await rest('GET', '/api/enrich/v1/suggestions?status=pending', { headers })
    const dashboard = await rest('GET', '/api/dashboard', { headers })
    const recipes = await rest('GET', '/api/enrich/v1/recipes', { headers })

    expect([jobs.body.total, recipes.status]).toEqual([48, 200])
    expect(pending.body.data.length).toBeGreaterThan(10)
    expect(dashboard.body.pending_suggestions.map(({ id }: Json) => id)).toEqual(pending.body.data.slice(0, 5).map(({ id }: Json) => id))
    expect(dashboard.body.stats.enrichment.suggestions_pending).toBe(pending.body.data.length)
    const [first] = pending.body.data
    const writes = [`suggestions/${first.id}/accept`, `suggestions/${first.id}/reject`, `jobs/${jobs.body.data[0].job_id}/cancel`]
    for (const path of writes) expect((await rest('POST', `/api/enrich/v1/${path}`, { headers })).body.code).toBe('guest_read_only')
  })
})
