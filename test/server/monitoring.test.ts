// The dashboard and the alert rules name metrics and labels that /metrics has, each condition changes its metric, and each rule fires.

import { execFileSync, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { type Json, openApp, startApp, type TestApp } from '../support/app.ts'
import { query } from '../support/database/database.ts'
import { keepOpen } from '../support/open.ts'

/** Answers as Redis does; while it is paused, later. */
async function startRedis() {
  let isPaused = false
  const waiting = new Map<Socket, string[]>()
  const answer = () => {
    if (!isPaused) for (const [socket, answers] of waiting) for (const one of answers.splice(0)) socket.write(one)
  }
  const server = createServer(socket => {
    waiting.set(socket, [])
    socket.on('error', () => {})
    socket.on('close', () => waiting.delete(socket))
    socket.on('data', data => {
      const commands = data.toString().split(/(?=\*\d+\r\n)/)
      waiting.get(socket)?.push(...commands.map(command => (command.includes('PING') ? '+PONG\r\n' : '+OK\r\n')))
      answer()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
      answer()
    },
    stop() {
      server.close()
      for (const socket of waiting.keys()) socket.destroy()
    },
  }
}

const redis = await keepOpen(startRedis())
const app = await openApp({
  env: { RATE_LIMIT: '1', REDIS_URL: redis.url, ROLES: 'web,api,session,gateway', HOOKS_ENABLED: '1', SIGN_UP: 'open' },
})

const folder = new URL('../../src/server/monitoring/', import.meta.url)
const read = (name: string) => readFile(new URL(name, folder), 'utf8')
const readRules = async (): Promise<Json[]> => parse(await read('alerts.yaml')).groups.flatMap((group: Json) => group.rules)

/** The value of a metric with its labels, as /metrics writes them. */
async function figureOf(series: string, of = app): Promise<number | undefined> {
  const line = (await of.services.metrics.text()).split('\n').find(one => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length))
}

test('each expression of the dashboard and of the alerts is about metrics and labels that exist', async () => {
  for (const path of ['/api/crm/v1/contacts', '/healthz', '/readyz', '/metrics', '/graphql']) await app.rest('GET', path)
  const text = await app.services.metrics.text()
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => [name, type]))
  const dashboard = JSON.parse(await read('dashboard.json'))
  const rules = await readRules()
  const expressions: string[] = [
    ...dashboard.panels.flatMap((panel: Json) => panel.targets.map(({ expr }: Json) => expr)),
    ...rules.map(({ expr }: Json) => expr),
  ]

  const unknown = expressions.flatMap(expression =>
    [...expression.matchAll(/\b(?:rolocom|nodejs|process)_\w+/g)]
      .map(([name]) => name)
      .filter(name => !types.has(name) && types.get(name.replace(/_(bucket|count|sum)$/, '')) !== 'histogram'),
  )
  const values = expressions.flatMap(expression =>
    [...expression.matchAll(/\b(rolocom_\w+)\{([^}]*)\}/g)].flatMap(([, name = '', labels = '']) =>
      [...labels.matchAll(/(\w+)(?:=~|!~|!=|=)"([^"]*)"/g)].flatMap(([, label, value = '']) =>
        value.split('|').map(one => ({ name, label, value: one })),
      ),
    ),
  )
  const isThere = ({ name, label, value }: (typeof values)[number]) =>
    new RegExp(`^${name}\\{(?:[^}]*,)?${label}="(?:${value})"`, 'm').test(text)

  expect(unknown).toEqual([])
  expect(values.filter(one => !isThere(one))).toEqual([])
  expect(values.length).toBeGreaterThan(8)
  expect(rules.every(({ alert, annotations, labels }: Json) => alert && annotations.summary && labels.severity)).toBe(true)
})

test('each metric of ours is explained, and is named by its kind and unit', async () => {
  const text = await app.services.metrics.text()
  const explained = new Set([...text.matchAll(/^# HELP (\S+) \S.*\.$/gm)].map(([, name]) => name))
  const metrics = [...text.matchAll(/^# TYPE (rolocom_\S+) (\S+)$/gm)].map(([, name = '', kind = '']) => ({ name, kind }))
  const isNamed = ({ name, kind }: { name: string; kind: string }) =>
    /^[a-z]+(_[a-z]+)+$/.test(name) &&
    name.endsWith('_total') === (kind === 'counter') &&
    (kind !== 'histogram' || /_(seconds|bytes)$/.test(name))

  expect(metrics.filter(({ name }) => !explained.has(name))).toEqual([])
  expect(metrics.filter(metric => !isNamed(metric))).toEqual([])
  expect(metrics.length).toBeGreaterThan(8)
})

describe('what alerts are about changes its metric', () => {
  test('Redis that is silent, and one that answers again', async () => {
    await vi.waitFor(async () => expect(await figureOf('rolocom_limits_shared')).toBe(1), 5_000)
    redis.pause()
    expect(await figureOf('rolocom_limits_shared')).toBe(0)
    redis.resume()
    await vi.waitFor(async () => expect(await figureOf('rolocom_limits_shared')).toBe(1), 10_000)
  })

  test('Redis that is away, and a process without REDIS_URL, which has nothing to share', async () => {
    const away = await startApp({ database: app.database, env: { RATE_LIMIT: '1', REDIS_URL: 'redis://127.0.0.1:1' } })
    const without = await startApp({ database: app.database, env: { RATE_LIMIT: '1' } })
    try {
      expect([await figureOf('rolocom_limits_shared', away), await figureOf('rolocom_limits_shared', without)]).toEqual([0, undefined])
    } finally {
      await away.close()
      await without.close()
    }
  })

  test('a gateway that belongs to nobody, or to an organization without members', async () => {
    expect(await figureOf('rolocom_gateway_members')).toBe(0)
    const { orgId } = await app.given.organization()
    expect(await figureOf('rolocom_gateway_members')).toBe(1)
    await app.given.member({ orgId, role: 'viewer' })
    expect(await figureOf('rolocom_gateway_members')).toBe(2)
    await query(app.database.url, 'delete from memberships where organization_id = $1', [orgId])
    expect(await figureOf('rolocom_gateway_members')).toBe(0)
  })

  test('a database that misses a migration', async () => {
    expect(await figureOf('rolocom_ready')).toBe(1)
    const [last] = await query<{ migration_name: string; finished_at: Date }>(
      app.database.url,
      'update _prisma_migrations set finished_at = null where migration_name = (select max(migration_name) from _prisma_migrations) returning migration_name',
    )
    await vi.waitFor(async () => expect(await figureOf('rolocom_ready')).toBe(0), 5_000)
    await query(app.database.url, 'update _prisma_migrations set finished_at = now() where migration_name = $1', [last?.migration_name])
    await vi.waitFor(async () => expect(await figureOf('rolocom_ready')).toBe(1), 5_000)
  })

  test('a backup that has ended', async () => {
    expect(await figureOf('rolocom_last_backup_timestamp_seconds')).toBe(0)
    await query(app.database.url, 'insert into backups default values')
    expect(await figureOf('rolocom_last_backup_timestamp_seconds')).toBeCloseTo(Date.now() / 1000, -2)
    await query(app.database.url, "insert into backups values (now() - interval '1 day')")
    expect(await figureOf('rolocom_last_backup_timestamp_seconds')).toBeCloseTo(Date.now() / 1000, -2)
  })

  test('sign-in that fails by an error of the server', async () => {
    const series = 'rolocom_http_request_duration_seconds_count{door="idp",method="GET",status="500"}'
    const account = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
    const { body } = await app.rest('POST', '/idp/sign-up/email', { body: account, headers: { origin: app.url } })
    const signIn = (on: TestApp) => on.rest('GET', '/idp/token', { session: body.token })
    expect([(await signIn(app)).status, await figureOf(series)]).toEqual([200, 0])
    const other = await startApp({ database: app.database, env: { IDENTITY_SECRET: 'another-identity-secret-0123456789' } })
    try {
      expect(await figureOf(series, other)).toBe(0)
      const { status } = await signIn(other)
      expect([status, await figureOf(series, other)]).toEqual([500, 1])
    } finally {
      await other.close()
    }
  })

  test('a task that has used up its retries', async () => {
    expect(await figureOf('rolocom_tasks_waiting{task="dead"}')).toBe(0)
    await query(app.database.url, `insert into pgboss.job (name, data, state) select 'dead', '{}', 'created'`)
    expect(await figureOf('rolocom_tasks_waiting{task="dead"}')).toBe(1)
  })
})

// alerts.promtool.yaml has for each rule what raises it and what does not. Prometheus' promtool evaluates it where it is installed.
const promtool = spawnSync('promtool', ['--version']).status === 0
test('each rule has a case that raises it', async () => {
  const cases = parse(await readFile(new URL('alerts.promtool.yaml', import.meta.url), 'utf8')).tests
  const raised = new Set(
    cases.flatMap(({ alert_rule_test }: Json) =>
      alert_rule_test.filter(({ exp_alerts }: Json) => exp_alerts?.length > 0).map(({ alertname }: Json) => alertname),
    ),
  )
  expect((await readRules()).map(({ alert }) => alert).filter(alert => !raised.has(alert))).toEqual([])
})
test.skipIf(!promtool)('each rule fires when it should, and not otherwise', () => {
  execFileSync('promtool', ['test', 'rules', fileURLToPath(new URL('alerts.promtool.yaml', import.meta.url))])
})
