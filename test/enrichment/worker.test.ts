// The worker of enrichment jobs: results, poison jobs, and fairness between organizations.

import { describe, expect, test, vi } from 'vitest'
import { conforming } from '../rest/conforming.ts'
import { type Json, openApp } from '../support/app.ts'
import { ended, givenContact } from './outcome.ts'

const path = '/api/enrich/v1/jobs'

describe('a worker', async () => {
  const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
  const rest = conforming(app)

  test('runs a job to its end, with the results of its steps and the sources of its suggestions', async () => {
    const { key } = await app.given.apiKey()
    const contact = await givenContact(app, key, { email: 'ada.lovelace@engines.invalid', phone: '+442079460958', external_id: 'hs-7' })

    const { body: queued } = await rest('POST', path, { key, body: { target: { host_app: 'hubspot', id: 'hs-7', kind: 'contact' } } })
    const job = await ended(app, key, queued.job_id)

    expect(job).toMatchObject({ status: 'completed', recipe: 'contact', credits_charged: 0, attempts: 1 })
    expect(job.steps.map(({ step }: Json) => step)).toEqual(['calls', 'email', 'phone', 'gravatar', 'site'])
    expect(job.steps[2]).toMatchObject({ status: 'found', error: null, detail: { valid: true, international: '+44 20 7946 0958' } })
    const { body } = await rest('GET', `/api/enrich/v1/suggestions?job_id=${job.job_id}`, { key })
    expect(body.data.length).toBe(job.suggestion_count)
    expect(body.data.find(({ field }: Json) => field === 'country')).toMatchObject({
      status: 'pending',
      current_value: null,
      proposed_value: 'GB',
      value_type: 'country',
      provider: 'phone',
      recipe_step: 'phone',
      confidence: 0.75,
      verification: 'probable',
      target: { host_app: 'hubspot', id: 'hs-7', kind: 'contact' },
    })
    const timeline = await rest('GET', `/api/crm/v1/contacts/${contact.id}/timeline`, { key })
    expect(timeline.body.data.map(({ type }: Json) => type)).toEqual(
      expect.arrayContaining(['enrichment_job.queued', 'enrichment_job.completed', 'suggestion.created']),
    )
  })

  test('fails a poison job after five attempts with the reason, and retries it on request; other jobs are not delayed', async () => {
    const { key, orgId } = await app.given.apiKey()
    const { prisma } = app.services.database
    // The recipe does not exist, so every attempt throws.
    const ids: string[] = []
    for (let index = 0; index < 20; index++) {
      const { body } = await rest('POST', path, { key, body: { target: { host_app: 'poison', id: String(index), kind: 'x' } } })
      ids.push(body.job_id)
    }
    await prisma.enrichmentJob.updateMany({
      where: { orgId, hostApp: 'poison' },
      data: { status: 'queued', recipeVersion: 99, attempts: 0, claim: null, leaseUntil: null, finishedAt: null, result: null },
    })
    app.services.notifier.notify('rolocom_enrichment')
    const good = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const { body } = await rest('POST', path, { key, body: { target: { host_app: 'good', id: String(index), kind: 'x' } } })
        return ended(app, key, body.job_id, 60_000)
      }),
    )
    expect(new Set(good.map(({ status }) => status))).toEqual(new Set(['completed']))
    // No poison job has used all its attempts by then: their backoff alone takes 15 s. From here on it is skipped.
    expect(await prisma.enrichmentJob.count({ where: { orgId, hostApp: 'poison', status: 'failed' } })).toBe(0)
    const [first = ''] = ids
    const failed = await vi.waitFor(
      async () => {
        await prisma.enrichmentJob.updateMany({ where: { orgId, hostApp: 'poison', status: 'queued' }, data: { runAfter: new Date(0) } })
        app.services.notifier.notify('rolocom_enrichment')
        const { body } = await rest('GET', `${path}/${first}`, { key })
        expect(body.status).toBe('failed')
        return body
      },
      { timeout: 60_000, interval: 100 },
    )
    expect(failed).toMatchObject({
      status: 'failed',
      attempts: 5,
      error: 'Given up after 5 attempts: The recipe generic has no version 99',
    })

    await prisma.enrichmentJob.update({ where: { id: first }, data: { recipeVersion: 1 } })
    const retried = await rest('POST', `${path}/${first}/retry`, { key })
    expect(retried.status).toBe(202)
    expect((await ended(app, key, first)).status).toBe('completed')
  }, 150_000)

  test("one organization's thousand jobs do not starve another's one", async () => {
    const [many, one] = [await app.given.apiKey(), await app.given.apiKey()]
    await app.services.database.prisma.enrichmentJob.createMany({
      data: Array.from({ length: 1000 }, (_, index) => ({
        id: crypto.randomUUID(),
        orgId: many.orgId,
        hostApp: 'bulk',
        targetId: String(index),
        targetKind: 'x',
        recipe: 'generic',
        recipeVersion: 1,
        runAfter: new Date(0),
        createdByType: 'system',
      })),
    })
    app.services.notifier.notify('rolocom_enrichment')

    const { body } = await rest('POST', path, { key: one.key, body: { target: { host_app: 'a', id: 'b', kind: 'x' } } })
    const { finished_at: end, created_at: start } = await ended(app, one.key, body.job_id)

    // Served in turn, not after the others; meanwhile the worker ran some rounds of them, on a busy machine a few dozen.
    const between = { gte: new Date(start), lte: new Date(end) }
    const meanwhile = await app.services.database.prisma.enrichmentJob.count({ where: { orgId: many.orgId, finishedAt: between } })
    expect(meanwhile).toBeLessThan(500)
    await app.services.database.prisma.enrichmentJob.deleteMany({ where: { orgId: many.orgId } })
  })
})
