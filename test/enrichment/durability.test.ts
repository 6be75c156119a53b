// Jobs whose worker dies, stops or is too late.

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Json } from '../support/app.ts'
import { keepOpen } from '../support/open.ts'
import { ended, enriched, givenContact, suggestionsOf } from './outcome.ts'
import { lookup, startEnriching, startSource } from './source.ts'

const source = await keepOpen(startSource())
const two = lookup(source.url, { name: 'two', timeout_seconds: 5 })
two.steps.push({
  ...two.steps[0],
  id: 'slow',
  fields: ['region'],
  timeout_seconds: 30,
  with: { url: `${source.url}/slow`, map: { region: 'region' } },
})
const priced = lookup(source.url, { name: 'priced' }, { price: 2.5 })
priced.steps.push({
  ...priced.steps[0],
  id: 'again',
  fields: ['region'],
  price: 1,
  with: { url: `${source.url}/none`, map: { region: 'region' } },
})
const held = lookup(source.url, { name: 'held', timeout_seconds: 60 })
Object.assign(held.steps[0], { timeout_seconds: 30, with: { ...held.steps[0].with, url: `${source.url}/held` } })
const second = { ...held, name: 'second' }
const local = lookup(source.url, { name: 'local', timeout_seconds: 60 })
local.steps = [{ id: 'phone', provider: 'phone', needs: ['phone'], fields: ['phone'] }, held.steps[0]]
const app = await keepOpen(startEnriching([lookup(source.url), two, priced, held, second, local], { CREDITS_NEW_USER_GRANT: '10' }))
const { key, orgId } = await app.given.apiKey()

let count = 0
const contactId = async () => (await givenContact(app, key, { email: `d-${++count}@example.com` })).id as string
const about = (id: string, recipe = 'lookup') => ({ target: { host_app: 'rolocom', id, kind: 'contact' }, recipe })
const queue = async (body: Json): Promise<string> => (await app.rest('POST', '/api/enrich/v1/jobs', { key, body })).body.job_id
const running = (id: string) =>
  expect.poll(async () => (await app.rest('GET', `/api/enrich/v1/jobs/${id}`, { key })).body.status, { timeout: 20_000 }).toBe('running')
const wasAskedAbout = (id: string) => expect.poll(() => source.asked.some(({ url }) => url.includes(id)), { timeout: 20_000 }).toBe(true)

/** A job as a worker leaves it that was killed; resolves with its id. */
async function lost(job: Json): Promise<string> {
  const id = crypto.randomUUID()
  const now = new Date()
  await app.services.database.prisma.enrichmentJob.create({
    data: {
      ...{ id, orgId, hostApp: 'rolocom', targetKind: 'contact', recipeVersion: 1, createdByType: 'system' },
      ...{ status: 'running', claim: crypto.randomUUID(), leaseUntil: now, startedAt: now, servedAt: now, runAfter: now },
      ...job,
    },
  })
  return id
}

describe('a job whose worker was lost', () => {
  test('runs again after its lease has lapsed, continues after the completed steps, and ends once', async () => {
    source.says('/lookup', { sure: 0.9, job: 'Analyst' })
    const id = await contactId()
    const before = source.asked.filter(({ url }) => url.includes(id)).length
    // The state left by a worker that was killed after the first of two steps.
    const finding = {
      field: 'jobTitle',
      value: 'Analyst',
      confidence: 0.9,
      verification: 'unverified',
      step: 'lookup',
      provider: 'http',
      observedAt: new Date().toISOString(),
    }
    source.says('/slow', { region: 'Kent' })
    const step = { step: 'lookup', provider: 'http', status: 'found', credits: 0, durationMs: 5, error: null, detail: null }
    const jobId = await lost({ targetId: id, recipe: 'two', attempts: 1, steps: [step], findings: [finding] })

    const job = await ended(app, key, jobId)

    // A step was completed, so the attempt does not count.
    expect(job).toMatchObject({ status: 'completed', attempts: 1, error: null, suggestion_count: 2 })
    expect(Object.keys(await suggestionsOf(app, key, jobId)).toSorted()).toEqual(['job_title', 'region'])
    expect(source.asked.filter(({ url }) => url.includes(id)).length).toBe(before)
  })

  test('is claimed before all queued jobs, also before jobs of its own organization', async () => {
    source.says('/lookup', { sure: 0.9, job: 'Analyst' })
    const { prisma } = app.services.database
    const waits = {
      orgId,
      hostApp: 'bulk',
      targetKind: 'x',
      recipe: 'generic',
      recipeVersion: 1,
      runAfter: new Date(0),
      createdByType: 'system',
    }
    const bulk = Array.from({ length: 1000 }, (_, index) => ({ ...waits, id: crypto.randomUUID(), targetId: String(index) }))
    await prisma.enrichmentJob.createMany({ data: bulk })

    const job = await ended(app, key, await lost({ targetId: await contactId(), recipe: 'lookup', attempts: 2 }))

    expect(job).toMatchObject({ status: 'completed', attempts: 3 })
    const done = { orgId, hostApp: 'bulk', finishedAt: { gte: new Date(job.created_at), lte: new Date(job.finished_at) } }
    expect(await prisma.enrichmentJob.count({ where: done })).toBeLessThan(500)
    await prisma.enrichmentJob.deleteMany({ where: { orgId, hostApp: 'bulk' } })
  })

  test('fails when that was its last attempt and it completed no step', async () => {
    const job = await ended(app, key, await lost({ targetId: await contactId(), recipe: 'lookup', attempts: 5 }))

    expect(job).toMatchObject({ status: 'failed', attempts: 5, error: 'Given up after 5 attempts: The worker that ran it was lost' })
  })

  test.each([
    ['before its first step', 'held', '/held'],
    // The first attempt completes a step, which does not make the deaths after it fewer.
    ['after a step', 'two', '/slow'],
  ])(
    'three times %s fails, whatever attempts are left',
    async (_when, recipe, path) => {
      source.says('/lookup', { sure: 0.9, job: 'Analyst' })
      const release = Promise.withResolvers<void>()
      source.does(path, async (_asked, res) => {
        await release.promise
        res.end()
      })
      const begun = source.asked.filter(({ url }) => url.startsWith(path)).length
      const jobId = await queue(about(await contactId(), recipe))
      for (let deaths = 1; deaths <= 3; deaths++) {
        await expect.poll(() => source.asked.filter(({ url }) => url.startsWith(path)).length - begun, { timeout: 20_000 }).toBe(deaths)
        // As a worker leaves it that was killed.
        await app.services.database.prisma.enrichmentJob.update({
          where: { id: jobId },
          data: { claim: crypto.randomUUID(), leaseUntil: new Date(Date.now() - 1000) },
        })
      }

      const job = await ended(app, key, jobId)
      release.resolve()

      expect(job).toMatchObject({ status: 'failed', error: expect.stringMatching(/: The worker that ran it was lost$/) })
      expect(source.asked.filter(({ url }) => url.startsWith(path)).length - begun).toBe(3)
    },
    60_000,
  )

  test("a worker that returns after its lease has lapsed writes nothing: the next worker's result stays", async () => {
    let late = () => {}
    source.does('/lookup', async (_asked, res) => {
      await new Promise<void>(resolve => (late = resolve))
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ sure: 0.9, job: 'Too late' }))
    })
    const contact = await contactId()
    const id = await queue(about(contact))
    await running(id)
    await wasAskedAbout(contact)
    const { prisma } = app.services.database
    const other = crypto.randomUUID()
    await prisma.enrichmentJob.update({ where: { id }, data: { claim: other, leaseUntil: new Date(Date.now() + 60_000) } })

    late()
    await sleep(300)

    expect(await prisma.suggestion.count({ where: { jobId: id } })).toBe(0)
    expect(await prisma.enrichmentJob.findUnique({ where: { id }, select: { status: true, claim: true } })).toEqual({
      status: 'running',
      claim: other,
    })
    source.says('/lookup', { sure: 0.9, job: 'In time' })
    await prisma.enrichmentJob.update({ where: { id }, data: { leaseUntil: new Date(0) } })
    expect(await ended(app, key, id)).toMatchObject({ status: 'completed', suggestion_count: 1 })
    expect((await suggestionsOf(app, key, id)).job_title.proposed_value).toBe('In time')
  }, 90_000)

  test('a job that is canceled while it runs stays canceled, and makes no suggestions', async () => {
    let answer = () => {}
    source.does('/lookup', async (_asked, res) => {
      await new Promise<void>(resolve => (answer = resolve))
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ sure: 0.9, job: 'Analyst' }))
    })
    const contact = await contactId()
    const id = await queue(about(contact))
    await running(id)
    await wasAskedAbout(contact)

    const canceled = await app.rest('POST', `/api/enrich/v1/jobs/${id}/cancel`, { key })
    answer()
    await sleep(300)

    expect(canceled.body.status).toBe('canceled')
    const { body } = await app.rest('GET', `/api/enrich/v1/jobs/${id}`, { key })
    expect(body).toEqual(canceled.body)
  })

  test('a job that exceeds the timeout of its recipe is aborted, retried, and failed after the last attempt', async () => {
    source.says('/lookup', { sure: 0.9, job: 'Analyst' })
    source.does('/slow', () => {})
    const contact = await contactId()
    const id = await queue(about(contact, 'two'))

    // Asserts the event, because the state between two attempts lasts only a second.
    const { prisma } = app.services.database
    const tried = () => prisma.event.findFirst({ where: { entityId: id, type: 'enrichment_job.retried' }, select: { changes: true } })
    await expect.poll(tried, { timeout: 20_000 }).toEqual({ changes: { attempt: 1, reason: 'It took longer than 5 s' } })
    await prisma.enrichmentJob.updateMany({ where: { id }, data: { attempts: 4, runAfter: new Date(0) } })
    expect(await ended(app, key, id, 40_000)).toMatchObject({
      status: 'failed',
      error: 'Given up after 5 attempts: It took longer than 5 s',
    })
    expect(source.asked.filter(({ url }) => url.startsWith('/lookup') && url.includes(contact)).length).toBe(1)
  }, 90_000)
})

describe('a job that fails in its last attempt', () => {
  test('shows the steps that this attempt completed', async () => {
    source.says('/lookup', { sure: 0.9, job: 'Analyst' })
    source.does('/slow', () => {})
    const waiting = { status: 'queued', claim: null, leaseUntil: null, attempts: 4 }

    const job = await ended(app, key, await lost({ targetId: await contactId(), recipe: 'two', ...waiting }), 40_000)

    expect(job).toMatchObject({ status: 'failed', attempts: 5, steps: [{ step: 'lookup', status: 'found' }] })
  }, 60_000)
})

describe('jobs that wait for their provider', () => {
  test('leave room for the jobs of another organization', async () => {
    const held: (() => void)[] = []
    source.does('/held', (_asked, response) => void held.push(() => response.writeHead(404).end()))
    const ids: string[] = []
    for (let index = 0; index < 9; index++) ids.push(await queue(about(await contactId(), 'held')))
    const runningJobs = async () => (await app.rest('GET', '/api/enrich/v1/jobs?status=running', { key })).body.data.length
    await expect.poll(runningJobs, { timeout: 20_000 }).toBe(6)
    await sleep(300)
    expect(await runningJobs()).toBe(6)

    const other = await app.given.apiKey()
    const target = { host_app: 'a', id: 'b', kind: 'x' }
    const { body } = await app.rest('POST', '/api/enrich/v1/jobs', { key: other.key, body: { target } })
    expect(await ended(app, other.key, body.job_id)).toMatchObject({ status: 'completed', attempts: 1 })

    source.does('/held', (_asked, response) => void response.writeHead(404).end())
    for (const answer of held) answer()
    for (const id of ids) expect(await ended(app, key, id)).toMatchObject({ status: 'completed' })
  })
})

describe('several jobs at once', () => {
  test('are claimed in turns of the organizations', async () => {
    const held: (() => void)[] = []
    source.does('/held', (_asked, response) => void held.push(() => response.writeHead(404).end()))
    const [many, few] = [await app.given.apiKey(), await app.given.apiKey()]
    const { prisma } = app.services.database
    const waits = { hostApp: 'turns', targetKind: 'contact', recipe: 'held', recipeVersion: 1, createdByType: 'system' }
    const jobsOf = (orgId: string, count: number, runAfter: Date) =>
      Array.from({ length: count }, (_, index) => ({ ...waits, orgId, runAfter, id: crypto.randomUUID(), targetId: String(index) }))
    await prisma.enrichmentJob.createMany({ data: [...jobsOf(many.orgId, 9, new Date(0)), ...jobsOf(few.orgId, 3, new Date(1))] })

    const runningOf = async (of: string) => (await app.rest('GET', '/api/enrich/v1/jobs?status=running', { key: of })).body.data.length
    await expect.poll(async () => [await runningOf(many.key), await runningOf(few.key)], { timeout: 20_000 }).toEqual([5, 3])
    const running = await prisma.event.findMany({ where: { orgId: few.orgId, type: 'enrichment_job.running' }, select: { changes: true } })
    expect(running.map(({ changes }) => changes)).toEqual([{ attempt: 1 }, { attempt: 1 }, { attempt: 1 }])

    source.does('/held', (_asked, response) => void response.writeHead(404).end())
    for (const answer of held) answer()
    await expect.poll(() => prisma.enrichmentJob.count({ where: { hostApp: 'turns', status: 'completed' } }), { timeout: 20_000 }).toBe(12)
  })

  test('of one target leave one suggestion pending for a field', async () => {
    const held: (() => void)[] = []
    const answer = JSON.stringify({ sure: 0.9, job: 'Analyst' })
    source.does('/held', (_asked, response) => {
      held.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end(answer))
    })
    for (const id of [await contactId(), 'unknown']) {
      const ids = [await queue(about(id, 'held')), await queue(about(id, 'second'))]
      await expect.poll(() => held.length, { timeout: 20_000 }).toBe(2)
      for (const release of held.splice(0)) release()

      for (const jobId of ids) expect(await ended(app, key, jobId)).toMatchObject({ status: 'completed', suggestion_count: 1 })
      const found = await Promise.all(ids.map(async jobId => (await suggestionsOf(app, key, jobId)).job_title.status))
      expect(found.toSorted()).toEqual(['pending', 'superseded'])
      const { prisma } = app.services.database
      const superseded = { targetId: id, jobId: { in: ids }, status: 'superseded' }
      const older = await prisma.suggestion.findFirstOrThrow({ where: superseded, select: { id: true } })
      expect(await prisma.event.count({ where: { entityId: older.id, type: 'suggestion.superseded' } })).toBe(1)
    }
  })

  test('show the steps before one that waits for its provider', async () => {
    const held: (() => void)[] = []
    source.does('/held', (_asked, response) => void held.push(() => response.writeHead(404).end()))
    const { body } = await app.rest('POST', '/api/enrich/v1/jobs', {
      key,
      body: { ...about(await contactId(), 'local'), options: { phone: '+442079460000' } },
    })
    await expect.poll(() => held.length, { timeout: 20_000 }).toBe(1)

    const waiting = await app.rest('GET', `/api/enrich/v1/jobs/${body.job_id}`, { key })
    held[0]?.()

    expect(waiting.body).toMatchObject({ status: 'running', steps: [{ step: 'phone', status: 'found' }] })
    expect(await ended(app, key, body.job_id)).toMatchObject({ status: 'completed', suggestion_count: 1 })
  })
})

describe('credits', () => {
  const balance = async (userId: string) => {
    const account = await app.services.database.prisma.creditAccount.findUnique({ where: { userId } })
    return account && [Number(account.balanceMicro) / 1e6, Number(account.reservedMicro) / 1e6]
  }

  test('the maximum is reserved, findings are charged, and the same finding is charged once', async () => {
    source.says('/lookup', { sure: 0.9, job: 'Analyst' })
    const owner = await app.given.apiKey()
    const target = { host_app: 'x', id: 'paid', kind: 'contact' }

    const job = await enriched(app, owner.key, { target, recipe: 'priced' })
    const again = await enriched(app, owner.key, { target, recipe: 'priced' })

    expect(job).toMatchObject({ status: 'completed', credits_reserved: 3.5, credits_charged: 2.5 })
    expect(job.steps.map(({ credits }: Json) => credits)).toEqual([2.5, 0])
    expect(again).toMatchObject({ status: 'completed', credits_reserved: 3.5, credits_charged: 0, suggestion_count: 1 })
    expect(await balance(owner.userId)).toEqual([7.5, 0])
  })

  test('402 when the maximum is not available, and nothing is queued; a canceled job costs nothing', async () => {
    let answer = () => {}
    source.does('/lookup', async (_asked, res) => {
      await new Promise<void>(resolve => (answer = resolve))
      res.end('{}')
    })
    const owner = await app.given.apiKey()
    const ask = (id: string) =>
      app.rest('POST', '/api/enrich/v1/jobs', {
        key: owner.key,
        body: { target: { host_app: 'x', id, kind: 'contact' }, recipe: 'priced' },
      })
    const jobs = await Promise.all([ask('1'), ask('2'), ask('3')])

    const answers = jobs.map(({ status }) => status).toSorted()
    expect(answers).toEqual([202, 202, 402])
    const refused = jobs.find(({ status }) => status === 402)
    expect(refused?.body).toMatchObject({ code: 'insufficient_credits', required: 3.5, available: 3, shortfall: 0.5 })
    for (const { body } of jobs.filter(({ status }) => status === 202))
      await app.rest('POST', `/api/enrich/v1/jobs/${body.job_id}/cancel`, { key: owner.key })
    answer()
    expect(await balance(owner.userId)).toEqual([10, 0])
    const { body } = await app.rest('GET', '/api/enrich/v1/jobs?include=total', { key: owner.key })
    expect(body.total).toBe(2)
  })
})
