// GET /api/crm/v1/stats

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { statement } from '../../src/database/statement.ts'
import { bigint, rows } from '../../src/database/table.ts'
import { openApp, startApp } from '../support/app.ts'
import { query } from '../support/database/database.ts'
import { conforming } from './conforming.ts'

const app = await openApp()
const rest = conforming(app)

const path = '/api/crm/v1/stats'

describe('GET /api/crm/v1/stats', () => {
  test('200: every key is present, zero if there is nothing to count', async () => {
    const { key } = await app.given.apiKey()

    const { status, body } = await rest('GET', path, { key })

    expect(status).toBe(200)
    expect(body).toEqual({
      as_of: expect.stringMatching(/Z$/),
      window: { from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), to: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
      contacts: {
        total: 0,
        new: 0,
        by_lifecycle_stage: { subscriber: 0, lead: 0, qualified: 0, opportunity: 0, customer: 0, evangelist: 0, other: 0 },
        by_source: { api: 0, web: 0, desktop: 0, import: 0, voice: 0, enrichment: 0, hook: 0, agent: 0, system: 0 },
        with_email: 0,
        with_phone: 0,
        do_not_call: 0,
      },
      calls: {
        total: 0,
        active: 0,
        by_status: { queued: 0, ringing: 0, in_progress: 0, completed: 0, busy: 0, no_answer: 0, failed: 0, canceled: 0 },
        by_outcome: {
          ...{ goal_met: 0, goal_not_met: 0, callback_requested: 0, transferred: 0, voicemail: 0, no_answer: 0, busy: 0, declined: 0 },
          ...{ wrong_number: 0, do_not_call: 0, failed: 0, unknown: 0 },
        },
        answer_rate: 0,
        avg_duration_seconds: 0,
        series: expect.any(Array),
      },
      enrichment: {
        jobs_by_status: { queued: 0, running: 0, completed: 0, failed: 0, canceled: 0, insufficient_credits: 0 },
        suggestions_pending: 0,
        accept_rate: 0,
      },
    })
    expect(body.calls.series).toHaveLength(30)
    expect(body.calls.series.at(-1)).toEqual({ date: body.window.to, placed: 0, answered: 0 })
    expect((Date.parse(body.window.to) - Date.parse(body.window.from)) / 86_400_000).toBe(29)
  })

  test('200: contacts are counted immediately, in one statement, with others for calls and enrichment', async () => {
    const { key } = await app.given.apiKey()
    const contact = { lifecycle_stage: 'lead', phone: '+442079460958', do_not_call: true }
    await rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'a@example.com', ...contact } })
    await rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'b@example.com', source: 'import' } })

    const { body } = await rest('GET', path, { key })

    expect(body.contacts).toMatchObject({ total: 2, new: 2, with_email: 2, with_phone: 1, do_not_call: 1 })
    expect(body.contacts.by_lifecycle_stage).toMatchObject({ lead: 1, subscriber: 1 })
    expect(body.contacts.by_source).toMatchObject({ api: 1, import: 1 })
    await vi.waitFor(async () => {
      app.statements()
      await rest('GET', path, { key })
      expect(app.statements()).toBe(3)
    }, 20_000)
  })

  test('200: a window of days counts the contacts created in it', async () => {
    const { key } = await app.given.apiKey()
    await rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'a@example.com' } })

    const { body } = await rest('GET', `${path}?from=2020-01-01&to=2020-12-31`, { key })

    expect(body).toMatchObject({ window: { from: '2020-01-01', to: '2020-12-31' }, contacts: { total: 1, new: 0 } })
  })

  test.each([
    ['from=2026-02-30', { loc: ['query', 'from'], type: 'date_parsing', input: '2026-02-30' }],
    ['to=2026-01-01T00:00:00Z', { loc: ['query', 'to'], type: 'date_parsing' }],
    ['from=2026-02-02&to=2026-02-01', { loc: ['query', 'from'], type: 'value_error' }],
    ['form=2026-02-02', { loc: ['query', 'form'], type: 'extra_forbidden', ctx: { closest: 'from' } }],
  ])('422: %s', async (query, problem) => {
    const { key } = await app.given.apiKey()

    const { status, body } = await rest('GET', `${path}?${query}`, { key })

    expect(status).toBe(422)
    expect(body).toMatchObject({ detail: [problem] })
  })

  test('403: a key without the scope', async () => {
    const { key } = await app.given.apiKey({ scopes: ['contacts:read'] })

    expect((await rest('GET', path, { key })).status).toBe(403)
  })
})

test("the worker flushes the search index's pending list; inserts do not have to", async () => {
  const working = await startApp({ env: { ROLES: 'web,api,session,worker' } })
  onTestFinished(() => working.close())
  const { key } = await working.given.apiKey()
  await query(working.database.url, 'create extension pgstattuple')
  const pending = async () =>
    Number(
      (await query(working.database.url, `select pending_tuples from pgstatginindex('contacts_search_by_organization')`))[0]
        ?.pending_tuples,
    )
  let made = 0
  const pendingOfOne = async () => {
    const { status } = await working.rest('POST', '/api/crm/v1/contacts', { key, body: { email: `new-${++made}@example.com` } })
    expect(status).toBe(201)
    return pending()
  }
  await expect.poll(pendingOfOne).toBeGreaterThan(0)

  await expect.poll(pending).toBe(0)
})

test('422: a window that ends before it begins is reported together with an unknown parameter', async () => {
  const { key } = await app.given.apiKey()

  const { body } = await rest('GET', `${path}?from=2026-02-01&to=2026-01-01&zzz=1`, { key })

  expect(body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))).toEqual(['query.zzz', 'query.from'])
})

test('the worker vacuums the pending counts after many writes, without autovacuum', async () => {
  const working = await startApp({ env: { ROLES: 'web,api,session,worker' } })
  onTestFinished(() => working.close())
  const { orgId } = await working.given.apiKey()
  await query(working.database.url, 'alter table contact_counts_pending set (autovacuum_enabled = false)')
  await query(
    working.database.url,
    `insert into contact_counts_pending select $1::uuid, '2026-01-01', true, false, false, 'lead', 'api', 1 from generate_series(1, 20000)`,
    [orgId],
  )
  await query(working.database.url, 'delete from contact_counts_pending')
  const size = async () => Number((await query(working.database.url, `select pg_relation_size('contact_counts_pending') as size`))[0]?.size)
  expect(await size()).toBeGreaterThan(1_000_000)

  await expect.poll(size).toBeLessThan(300_000)
})

test('the statement uses a generic plan, although the statistics estimate few rows for the organization', async () => {
  const lone = await startApp({ env: { DATABASE_POOL_SIZE: '2' } })
  onTestFinished(() => lone.close())
  const { key } = await lone.given.apiKey()
  const other = await lone.given.organization()
  // Statistics as in a busy moment: many rows, all of another organization.
  await query(
    lone.database.url,
    `begin;
     insert into contact_counts_pending select '${other.orgId}', '2026-01-01', true, false, false, 'lead', 'api', 1 from generate_series(1, 2000);
     analyze contact_counts_pending;
     delete from contact_counts_pending;
     commit`,
  )

  // 40: enough requests for each of the two connections.
  for (let n = 0; n < 40; n++) expect((await lone.rest('GET', path, { key })).status).toBe(200)

  const plans = statement(
    '',
    `select custom_plans as custom, generic_plans as generic from pg_prepared_statements where name = 'contact_counts'`,
    rows({ custom: bigint, generic: bigint }),
  )
  // PostgreSQL makes five custom plans before it chooses a generic plan.
  expect(await lone.services.database.query(plans)).toEqual([{ custom: 5, generic: expect.toSatisfy(generic => generic > 5) }])
})
