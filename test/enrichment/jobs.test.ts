// Enrichment jobs through REST, and the worker that runs them.

import { describe, expect, test } from 'vitest'
import { conforming } from '../rest/conforming.ts'
import { type Json, openApp, serviceToken } from '../support/app.ts'

const path = '/api/enrich/v1/jobs'
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

describe('POST /api/enrich/v1/jobs', async () => {
  // No worker: queued jobs stay queued.
  const app = await openApp()
  const rest = conforming(app)

  const target = (id = 'x-1') => ({ host_app: 'hubspot', id, kind: 'contact' })

  test('202: the id, the status and the Location', async () => {
    const { key } = await app.given.apiKey()

    const { status, headers, body } = await rest('POST', path, { key, body: { target: target() } })

    expect(status).toBe(202)
    expect(body).toEqual({ job_id: expect.stringMatching(/^[0-9a-f-]{14}7/), status: 'queued' })
    expect(headers.get('location')).toBe(`${path}/${body.job_id}`)
    expect(headers.get('retry-after')).toBe('2')
    const read = await rest('GET', `${path}/${body.job_id}`, { key })
    expect(read.headers.get('retry-after')).toBe('2')
    expect(read.body).toMatchObject({
      job_id: body.job_id,
      status: 'queued',
      result: null,
      target: target(),
      recipe: 'contact',
      recipe_version: 1,
    })
  })

  test('202: a service token acts for the user it names, in the organization it names', async () => {
    const { orgId, userId, key } = await app.given.apiKey()
    const headers = { 'x-svc-service-token': serviceToken, 'x-org-id': orgId, 'x-user-id': userId }

    const { status, body } = await rest('POST', path, { headers, body: { target: target('svc') } })

    expect(status).toBe(202)
    const read = await rest('GET', `${path}/${body.job_id}`, { key })
    expect(read.body.created_by).toEqual({ type: 'service', id: userId, name: null })
  })

  test('202: any triple of texts is a target, and other kinds run the generic recipe', async () => {
    const { key } = await app.given.apiKey()
    const odd = { host_app: 'Ärzte & Co.', id: '../#1?', kind: 'Praxis/Übersee' }

    const { status, body } = await rest('POST', path, { key, body: { target: odd, options: { email: 'a@example.com' } } })

    expect(status).toBe(202)
    expect((await rest('GET', `${path}/${body.job_id}`, { key })).body).toMatchObject({
      target: odd,
      recipe: 'generic',
      options: { email: 'a@example.com' },
    })
  })

  test('202: the same Idempotency-Key answers again and queues once; another body is 422', async () => {
    const { key } = await app.given.apiKey()
    const headers = { 'Idempotency-Key': 'enrich-1' }
    const first = await rest('POST', path, { key, headers, body: { target: target('idem') } })

    const again = await rest('POST', path, { key, headers, body: { target: target('idem') } })
    const other = await rest('POST', path, { key, headers, body: { target: target('other') } })

    expect([again.status, again.body]).toEqual([202, first.body])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect([other.status, other.body.detail[0].loc]).toEqual([422, ['header', 'Idempotency-Key']])
    expect((await rest('GET', `${path}?include=total`, { key })).body.total).toBe(1)
  })

  test('202: an open job for the same target and recipe is returned instead of a second one, for 40 concurrent requests', async () => {
    const { key } = await app.given.apiKey()
    const asked = Array.from({ length: 40 }, () => rest('POST', path, { key, body: { target: target('same') } }))

    const answers = await Promise.all(asked)

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    expect(new Set(answers.map(({ body }) => body.job_id)).size).toBe(1)
    const { body } = await rest('POST', path, { key, body: { target: target('same'), recipe: 'hunter' } })
    expect(body.job_id).not.toBe(answers[0]?.body.job_id)
  })

  test('concurrent requests with an Idempotency-Key fail independently, and nothing is done twice', async () => {
    const { key } = await app.given.apiKey()
    const ask = (index: number) => {
      const headers = { 'Idempotency-Key': `together-${index}` }
      const recipe = index % 2 ? 'nothing' : 'contact'
      return rest('POST', path, { key, headers, body: { target: target(`together-${index}`), recipe } })
    }

    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => ask(index)))
    const again = await Promise.all(Array.from({ length: 40 }, (_, index) => ask(index)))

    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, index) => (index % 2 ? 422 : 202)))
    expect(again.map(({ body }) => body.job_id)).toEqual(answers.map(({ body }) => body.job_id))
    const { body } = await rest('GET', `${path}?include=total`, { key })
    expect(body.total).toBe(20)
    const ids = body.data.map(({ job_id: id }: Json) => id)
    expect(await app.services.database.prisma.event.count({ where: { entityId: { in: ids } } })).toBe(20)
  })

  test('401, 403: no credential, a read-only key, a guest, a service without a user, and another organization', async () => {
    const { orgId, key } = await app.given.apiKey()
    const reader = await app.given.apiKey({ orgId, scopes: ['enrich:read'] })
    const stranger = await app.given.organization()
    const body = { target: target() }
    const asked = (headers: Record<string, string>) => rest('POST', path, { headers, body })

    const nobody = await asked({})
    const wrong = await asked({ 'x-svc-service-token': 'not the token at all', 'x-org-id': orgId })
    const other = await asked({ 'x-svc-services-token': serviceToken, 'x-org-id': orgId })
    const reading = await asked(bearer(reader.key))
    const guest = await asked({ 'x-guest-id': 'guest' })
    const alone = await asked({ 'x-svc-service-token': serviceToken, 'x-org-id': orgId })
    const foreign = await asked({ 'x-svc-service-token': serviceToken, 'x-org-id': orgId, 'x-user-id': stranger.userId })
    const elsewhere = await asked({ ...bearer(key), 'x-org-id': stranger.orgId })

    expect([nobody.status, wrong.status, other.status]).toEqual([401, 401, 401])
    expect(alone.body.detail).toContain('x-user-id')
    expect([reading.body.code, guest.body.code, alone.body.code]).toEqual(['forbidden', 'guest_read_only', 'forbidden'])
    expect([foreign.body.code, elsewhere.body.code]).toEqual(['forbidden', 'forbidden'])
  })

  test('422: all problems are reported at once', async () => {
    const { key } = await app.given.apiKey()

    const missing = await rest('POST', path, { key, body: {} })
    const odd = await rest('POST', path, { key, body: { target: { host_app: 1, id: null }, recipe: 7, extra: 1 } })
    const empty = await rest('POST', path, {
      key,
      body: { target: { host_app: ' ', id: 'x'.repeat(300), kind: 'contact' }, recipe: 'nothing' },
    })
    const large = await rest('POST', path, { key, body: { target: target(), options: { text: 'x'.repeat(17_000) } } })
    const unfit = await rest('POST', path, { key, body: { target: { ...target(), kind: 'ship' }, recipe: 'contact' } })

    const locations = (answer: { body: Json }) => answer.body.detail.map(({ loc, type }: Json) => `${loc.join('.')} ${type}`)
    expect(locations(missing)).toEqual(['body.target missing'])
    expect(locations(odd).toSorted()).toEqual(
      [
        'body.extra extra_forbidden',
        'body.recipe string_type',
        'body.target.host_app string_type',
        'body.target.id string_type',
        'body.target.kind missing',
      ].toSorted(),
    )
    expect(locations(empty)).toEqual(['body.target.host_app string_too_short', 'body.target.id string_too_long', 'body.recipe enum'])
    expect(locations(large)).toEqual(['body.options value_error'])
    expect(locations(unfit)).toEqual(['body.recipe value_error'])
  })

  test('200: a batch queues valid rows, names open jobs, and reports problems', async () => {
    const { key } = await app.given.apiKey()
    const open = await rest('POST', path, { key, body: { target: target('b-1') } })

    const jobs = [{ target: target('b-1') }, { target: target('b-2') }, { target: { ...target(), id: '' } }]
    const { status, body } = await rest('POST', `${path}/batch`, { key, body: { jobs } })

    expect(status).toBe(200)
    expect(body).toMatchObject({ succeeded: 2, failed: 1 })
    expect(body.results.map(({ outcome }: Json) => outcome)).toEqual(['skipped', 'created', 'failed'])
    expect(body.results[0].job_id).toBe(open.body.job_id)
    expect(body.results[2].error.problems[0].loc).toEqual(['body', 'jobs', '2', 'target', 'id'])
  })

  test('200: a target that occurs in a batch twice is queued once', async () => {
    const { key } = await app.given.apiKey()
    const jobs = Array.from({ length: 100 }, (_, index) => ({ target: target(`twice-${Math.floor(index / 2)}`) }))

    const { body } = await rest('POST', `${path}/batch`, { key, body: { jobs } })

    expect(body).toMatchObject({ succeeded: 100, failed: 0 })
    expect(body.results.map(({ index }: Json) => index)).toEqual(jobs.map((_, index) => index))
    expect(body.results.filter(({ outcome }: Json) => outcome === 'created')).toHaveLength(50)
    expect(body.results[6].job_id).toBe(body.results[7].job_id)
    expect((await rest('GET', `${path}?include=total`, { key })).body.total).toBe(50)
  })

  test('200: pages, filtered by status, recipe and target; other organizations see nothing', async () => {
    const { key } = await app.given.apiKey()
    const stranger = await app.given.apiKey()
    const ids: string[] = []
    for (const id of ['l-1', 'l-2', 'l-3']) ids.push((await rest('POST', path, { key, body: { target: target(id) } })).body.job_id)

    const first = await rest('GET', `${path}?limit=2&include=total`, { key })
    const second = await rest('GET', `${path}?limit=2&cursor=${first.body.next_cursor}`, { key })
    const one = await rest('GET', `${path}?target_id=l-2&status=queued&recipe=contact&host_app=hubspot`, { key })

    expect([...first.body.data, ...second.body.data].map(({ job_id }: Json) => job_id)).toEqual(ids.toReversed())
    expect([first.body.total, first.body.has_more, second.body.has_more]).toEqual([3, true, false])
    expect(one.body.data.map(({ job_id }: Json) => job_id)).toEqual([ids[1]])
    expect((await rest('GET', path, { key: stranger.key })).body.data).toEqual([])
    expect((await rest('GET', `${path}/${ids[0]}`, { key: stranger.key })).status).toBe(404)
  })

  test('200: filtered by `target` or `target_id`, as for suggestions; 422 when both are given and differ', async () => {
    const { key } = await app.given.apiKey()
    const { body: job } = await rest('POST', path, { key, body: { target: target('t-1') } })
    await rest('POST', path, { key, body: { target: target('t-2') } })

    for (const query of ['target=t-1', 'target=t-1&target_id=t-1'])
      expect(
        (await rest('GET', `${path}?${query}`, { key })).body.data.map(({ job_id }: Json) => job_id),
        query,
      ).toEqual([job.job_id])

    for (const list of [path, '/api/enrich/v1/suggestions']) {
      const { status, body } = await rest('GET', `${list}?target=t-1&target_id=t-2&status=odd`, { key })
      expect([status, body.detail.map(({ loc, type }: Json) => [...loc, type])]).toEqual([
        422,
        [
          ['query', 'status', 'enum'],
          ['query', 'target', 'value_error'],
        ],
      ])
    }
  })

  test('200: a canceled job stays canceled, and its target can be queued again', async () => {
    const { key } = await app.given.apiKey()
    const { body: job } = await rest('POST', path, { key, body: { target: target('c') } })

    const canceled = await rest('POST', `${path}/${job.job_id}/cancel`, { key })
    const again = await rest('POST', `${path}/${job.job_id}/cancel`, { key })
    const retried = await rest('POST', `${path}/${job.job_id}/retry`, { key })
    const next = await rest('POST', path, { key, body: { target: target('c') } })

    expect([canceled.status, canceled.body.status, canceled.body.finished_at !== null]).toEqual([200, 'canceled', true])
    expect([again.status, again.body]).toEqual([200, canceled.body])
    expect([retried.status, retried.body.code]).toEqual([409, 'conflict'])
    expect(next.body.job_id).not.toBe(job.job_id)
  })

  test('200: recipes have their price and the settings that are missing', async () => {
    const { key } = await app.given.apiKey()

    const { body } = await rest('GET', '/api/enrich/v1/recipes', { key })

    expect(body.data.map(({ name }: Json) => name)).toEqual(['company', 'contact', 'generic', 'hunter', 'people-data-labs'])
    expect(body.data.map(({ unavailable }: Json) => unavailable)).toEqual([
      null,
      null,
      null,
      'not_configured: RECIPE_SECRET_HUNTER is not set',
      'not_configured: RECIPE_SECRET_PEOPLE_DATA_LABS is not set',
    ])
    expect(body.data[3].steps[0]).toEqual({
      id: 'hunter',
      provider: 'http',
      fields: ['email', 'job_title', 'phone', 'linkedin_url'],
      price: 0,
      unavailable: 'not_configured: RECIPE_SECRET_HUNTER is not set',
    })
  })
})

describe('a queue with a limit', async () => {
  const app = await openApp({ env: { ENRICHMENT_QUEUE_LIMIT: '20' } })

  test('429 beyond it, exactly, for 50 concurrent requests; other organizations are not affected', async () => {
    const rest = conforming(app)
    const { key } = await app.given.apiKey()
    const other = await app.given.apiKey()
    const ask = (index: number) => {
      const headers: Record<string, string> = index % 2 ? { 'Idempotency-Key': `limit-${index}` } : {}
      return rest('POST', path, { key, headers, body: { target: { host_app: 'a', id: String(index), kind: 'contact' } } })
    }

    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => ask(index)))

    const statuses = answers.map(({ status }) => status)
    expect([statuses.filter(status => status === 202).length, statuses.filter(status => status === 429).length]).toEqual([20, 30])
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('30')
    const queued = answers.findIndex(({ status }) => status === 202)
    expect((await ask(queued)).status).toBe(202)
    expect((await rest('POST', path, { key: other.key, body: { target: { host_app: 'a', id: '1', kind: 'contact' } } })).status).toBe(202)
  })
})
