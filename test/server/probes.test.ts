// Endpoints for orchestrators and Prometheus: who may read /metrics, and how often /readyz queries the database.

import { describe, expect, test } from 'vitest'
import { openApp, startApp } from '../support/app.ts'
import { query } from '../support/database/database.ts'

const token = 'metrics-token-0123456789'
const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://rolocom.example' }

describe('GET /metrics', () => {
  test('outside production it is public, and contains no operation names of callers', async () => {
    const app = await startApp()
    const { key } = await app.given.apiKey()
    await app.graphql('query SecretProject { me { userId } }', {}, { key })
    await app.rest('GET', '/api/crm/v1/contacts', { key })

    const { status, body } = await app.rest('GET', '/metrics')
    await app.close()

    expect(status).toBe(200)
    expect(body).not.toContain('SecretProject')
    expect(body).toMatch(/rolocom_operation_duration_seconds_count\{operation="caller",outcome="ok"\} 1/)
    expect(body).toMatch(/rolocom_operation_duration_seconds_count\{operation="ListContacts",outcome="ok"\} 1/)
  })

  test('with METRICS_TOKEN it requires the token', async () => {
    const app = await startApp({ env: { METRICS_TOKEN: token } })
    const { key } = await app.given.apiKey()

    const ask = async (authorization?: string) =>
      (await app.rest('GET', '/metrics', { headers: { ...(authorization && { authorization }) } })).status
    const statuses = [await ask(), await ask(`Bearer ${key}`), await ask(`Bearer ${token}x`), await ask(`Bearer ${token}`)]
    await app.close()

    expect(statuses).toEqual([401, 401, 401, 200])
  })

  test('in production it is refused while METRICS_TOKEN is not set', async () => {
    const app = await startApp({ env: production })

    const { status, body } = await app.rest('GET', '/metrics', { headers: { authorization: 'Bearer undefined' } })
    await app.close()

    expect([status, body.code]).toEqual([403, 'forbidden'])
  })
})

describe('GET /readyz', async () => {
  const app = await openApp()

  test('a hundred concurrent probes query the database once', async () => {
    await app.rest('GET', '/healthz')
    app.statements()

    const answers = await Promise.all(Array.from({ length: 100 }, () => app.rest('GET', '/readyz')))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    // Two statements, the ping and the names of the migrations; repeated if the probes take longer than a second.
    expect(app.statements()).toBeLessThanOrEqual(8)
  })

  test('a server stays ready and serves on when a newer release has migrated its database', async () => {
    const older = await startApp()
    const { key } = await older.given.apiKey()
    await older.rest('GET', '/api/crm/v1/contacts', { key })

    await query(older.database.url, `alter table contacts add column shoe_size integer not null default 42`)
    await query(
      older.database.url,
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('newer', '', '29990101000000_newer', now())`,
    )
    const probe = await older.rest('GET', '/readyz')
    const list = await older.rest('GET', '/api/crm/v1/contacts', { key })
    const created = await older.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'ada@example.com' } })
    await older.close()

    expect([probe.status, list.status, created.status]).toEqual([200, 200, 201])
  })
})
