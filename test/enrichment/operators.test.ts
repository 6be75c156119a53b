// The job queue for operators, and retention.

import { describe, expect, test } from 'vitest'
import { seedDemo } from '../../prisma/seed/seed.ts'
import { tasks } from '../../src/cli/operator/tasks.ts'
import { applyRetention } from '../../src/server/queue/retention.ts'
import type { Json } from '../support/app.ts'
import { keepOpen } from '../support/open.ts'
import { ended, enriched, givenContact, suggestionsOf } from './outcome.ts'
import { lookup, startEnriching, startSource } from './source.ts'

const source = await keepOpen(startSource())
const app = await keepOpen(startEnriching([lookup(source.url), lookup(source.url, { name: 'patient', expires_after_days: 3650 })]))
const { key } = await app.given.apiKey()
// The demo organization has failed jobs, which must not be counted.
await seedDemo(app.services)

const jobs = '/api/enrich/v1/jobs'
const queue = async (id: string) =>
  (await app.rest('POST', jobs, { key, body: { target: { host_app: 'crm', id, kind: 'contact' }, recipe: 'lookup' } })).body.job_id
const day = 86_400_000

describe('jobs in /metrics and npm run rolocom -- tasks', () => {
  const states = async () => {
    const { body } = await app.rest('GET', '/metrics')
    return Object.fromEntries(
      [...body.matchAll(/^rolocom_enrichment_jobs\{state="(\w+)"\} (\d+)$/gm)].map(([, state, jobs]) => [state, jobs]),
    )
  }
  const command = async (...words: string[]) => {
    const lines: string[] = []
    const { config, log, database } = { ...app.services, database: app.database }
    const own = { ...config, DATABASE_URL: database.url }
    await tasks({ config: own, log, words, options: {}, isTerminal: false, print: line => void lines.push(line) })
    return lines
  }

  test('a failed one is counted, listed with its reason, and can be retried', async () => {
    const { prisma } = app.services.database
    source.does('/lookup', () => {})
    const running = await queue('running')
    await expect.poll(async () => (await app.rest('GET', `${jobs}/${running}`, { key })).body.status, { timeout: 20_000 }).toBe('running')
    const [dead, waiting] = [await queue('dead'), await queue('waiting')]
    const ending = { claim: null, leaseUntil: null, finishedAt: new Date() }
    await prisma.enrichmentJob.update({ where: { id: dead }, data: { ...ending, status: 'failed', attempts: 5, error: 'Given up: why' } })
    const later = { claim: null, leaseUntil: null, status: 'queued', runAfter: new Date(Date.now() + 3650 * day) }
    await prisma.enrichmentJob.update({ where: { id: waiting }, data: later })

    expect(await states()).toEqual({ waiting: '1', running: '1', dead: '1' })
    expect(await command('list')).toEqual([
      expect.stringMatching(new RegExp(`^${dead}  \\d{4}-\\S+Z  enrichment lookup of crm contact dead  "Given up: why"$`)),
    ])

    // Its target has another open job now.
    await prisma.enrichmentJob.update({ where: { id: waiting }, data: { targetId: 'dead' } })
    await expect(command('retry', dead)).rejects.toThrow('Another job for this target and recipe is open already')
    await prisma.enrichmentJob.update({ where: { id: waiting }, data: { targetId: 'waiting' } })

    source.says('/lookup', { sure: 0.9, job: 'Analyst' })
    expect(await command('retry', dead)).toEqual([`queued again: ${dead}`])

    expect(await ended(app, key, dead, 20_000)).toMatchObject({ status: 'completed', error: null })
    // No job may be running in the next test, which sets the clock.
    await app.rest('POST', `${jobs}/${running}/cancel`, { key })
    expect(await command()).toEqual(['no dead tasks'])
    await expect(command('retry', dead)).rejects.toThrow(`There is no dead task or enrichment job ${dead}`)
  }, 60_000)
})

describe('ENRICHMENT_RETENTION_DAYS', () => {
  test('finished jobs and decided suggestions are deleted; pending suggestions stay, with their jobs', async () => {
    source.says('/lookup', { sure: 0.9, job: 'Analyst', city: 'Rome' })
    const contact = await givenContact(app, key, { email: 'kept@example.com' })
    const about = { host_app: 'rolocom', id: contact.id, kind: 'contact' }
    const open = await enriched(app, key, { target: about, recipe: 'patient' })
    const made = await suggestionsOf(app, key, open.job_id)
    await app.rest('POST', `/api/enrich/v1/suggestions/${made.job_title.id}/accept`, { key })
    source.says('/lookup', {})
    const empty = await enriched(app, key, { target: { ...about, id: 'nobody' }, recipe: 'lookup' })
    const statuses = async () =>
      Promise.all(
        [
          `${jobs}/${open.job_id}`,
          `${jobs}/${empty.job_id}`,
          ...[made.job_title.id, made.city.id].map(id => `/api/enrich/v1/suggestions/${id}`),
        ].map(async path => (await app.rest('GET', path, { key })).status),
      )
    const finished = Date.parse(open.finished_at)

    try {
      app.setNow(new Date(finished + 364 * day))
      await applyRetention(app.services)
      expect(await statuses()).toEqual([200, 200, 200, 200])

      app.setNow(new Date(Date.parse(empty.finished_at) + 366 * day))
      expect(await applyRetention(app.services)).toMatchObject({ suggestions: expect.any(Number) })
      expect(await statuses()).toEqual([200, 404, 404, 200])
      const { body } = await app.rest('GET', `/api/crm/v1/contacts/${contact.id}`, { key })
      expect(body.job_title).toBe('Analyst')

      await app.rest('POST', `/api/enrich/v1/suggestions/${made.city.id}/reject`, { key })
      app.setNow(new Date(Date.parse(empty.finished_at) + 2 * 366 * day))
      await applyRetention(app.services)
      expect(await statuses()).toEqual([404, 404, 404, 404])
    } finally {
      app.setNow(null)
    }
    const list: Json = await app.rest('GET', `${jobs}?status=queued`, { key })
    expect(list.body.data.map(({ target }: Json) => target.id)).toEqual(['waiting'])
  }, 60_000)
})
