// /metrics: the gauges of pending calls, runs, jobs, tasks and open streams, the counts of refusals, and the labels of operations.

import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { release } from '../../src/config/release.ts'
import { reminderItem } from '../../src/contacts/tasks/reminder-queue.ts'
import { createMetrics } from '../../src/kernel/metrics.ts'
import { openStream } from '../graphql/stream.ts'
import { openApp, startApp, type TestApp } from '../support/app.ts'

const app = await openApp({ env: { RATE_LIMIT: '1', RATE_LIMIT_WRITES: '3' } })

/** The metrics with these names and their labels, except the version of Node. */
async function gaugesNamed(names: string): Promise<Record<string, number>> {
  const lines = (await app.services.metrics.text()).split('\n')
  const wanted = new RegExp(`^rolocom_(?:${names})(?:\\{|\\s)`)
  return Object.fromEntries(
    lines
      .filter(line => wanted.test(line))
      .map(line => [line.slice(8, line.lastIndexOf(' ')).replace(/node="[^"]*"/, 'node'), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

test('gauges are zero when nothing is open, and count waiting calls and listeners', async () => {
  expect(await gaugesNamed('build_info|calls|runs|deliveries|enrichment_jobs|listeners')).toEqual({
    [`build_info{version="${release}",node}`]: 1,
    'calls{state="waiting"}': 0,
    'calls{state="dispatching"}': 0,
    'calls{state="dispatched"}': 0,
    'calls{state="unconfirmed"}': 0,
    'enrichment_jobs{state="waiting"}': 0,
    'enrichment_jobs{state="running"}': 0,
    'enrichment_jobs{state="dead"}': 0,
    'runs{state="accepted"}': 0,
    'runs{state="running"}': 0,
    'deliveries{state="pending"}': 0,
    'deliveries{state="sending"}': 0,
    listeners: 0,
  })
  expect(await gaugesNamed('calls_stuck|notifications_trusted')).toEqual({ calls_stuck: 0, notifications_trusted: 1 })
  const tasks = await gaugesNamed('tasks_waiting')
  expect(Object.keys(tasks).length).toBeGreaterThan(3)
  expect(new Set(Object.values(tasks))).toEqual(new Set([0]))

  const { key } = await app.given.apiKey()
  const { body: agent } = await app.rest('POST', '/api/voice/v1/agents', { key, body: { name: 'One' } })
  const earliest_at = new Date(Date.now() + 86_400_000).toISOString()
  await app.rest('POST', '/api/voice/v1/calls', { key, body: { agent_id: agent.id, to_number: '+15550100123', schedule: { earliest_at } } })
  const query = encodeURIComponent('subscription { contactChanged { type } }')
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${key}` }
  const stream = await openStream(`${app.url}/graphql?query=${query}`, { headers })

  expect(await gaugesNamed('calls|listeners')).toMatchObject({ 'calls{state="waiting"}': 1, listeners: 1 })
  stream.leave()
  await expect.poll(() => gaugesNamed('listeners')).toEqual({ listeners: 0 })
})

test('signals for scaling: how late queue items are, and calls that nobody ends', async () => {
  await app.services.queue.enqueue(
    reminderItem,
    { orgId: randomUUID(), taskId: randomUUID(), remindAt: '' },
    { startAfter: new Date(Date.now() - 90_000) },
  )
  const { key } = await app.given.apiKey()
  const { body: agent } = await app.rest('POST', '/api/voice/v1/agents', { key, body: { name: 'Two' } })
  const { body: call } = await app.rest('POST', '/api/voice/v1/calls', { key, body: { agent_id: agent.id, to_number: '+15550100124' } })
  await app.services.database.execute(
    `update calls set dispatch_state = 'dispatched', status = 'in_progress', dispatched_at = now() - interval '2 days',
       answered_at = now() - interval '2 days', ended_at = null where id = $1`,
    [call.id],
  )

  expect((await gaugesNamed('tasks_oldest_due_seconds'))['tasks_oldest_due_seconds{task="contact-reminder"}']).toBeGreaterThan(89)
  expect(await gaugesNamed('calls_stuck')).toEqual({ calls_stuck: 1 })
})

test('refusals are counted by limit', async () => {
  const { key } = await app.given.apiKey()
  const statuses = []
  for (let n = 0; n < 4; n++)
    statuses.push((await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: `m${n}@example.com` } })).status)

  expect(statuses).toEqual([201, 201, 201, 429])
  expect(await gaugesNamed('refusals_total')).toEqual({
    'refusals_total{limit="read"}': 0,
    'refusals_total{limit="write"}': 1,
    'refusals_total{limit="organization-read"}': 0,
    'refusals_total{limit="organization-write"}': 0,
    'refusals_total{limit="repeated"}': 0,
    'refusals_total{limit="authentication"}': 0,
    'refusals_total{limit="forged messages"}': 0,
    'refusals_total{limit="listeners"}': 0,
  })
})

test("stored operations are labelled with their names, callers' operations are not", async () => {
  const metrics = createMetrics()
  for (let n = 0; n < 300; n++) metrics.operation(`Strange${n}`, 'stranger', 'ok', 0.001)
  for (let n = 0; n < 300; n++) metrics.operation(`Mine${n}`, 'caller', 'ok', 0.001)
  metrics.operation('ListContacts', 'ours', 'ok', 0.001)

  const text = await metrics.text()
  const counts = [...text.matchAll(/^rolocom_operation_duration_seconds_count\{operation="(\w+)",outcome="ok"\} (\d+)$/gm)]
  const named = new Map(counts.map(([, name, count]) => [name, Number(count)]))

  expect(Object.fromEntries(named)).toEqual({ ListContacts: 1, caller: 300, stranger: 300 })
})

describe('work that waits', () => {
  const figure = async (app: TestApp, name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await app.services.metrics.text())?.[1])

  test('without a worker /metrics says that none is alive, and for how long the oldest of each kind has been due', async () => {
    const app = await startApp()
    try {
      const { key, orgId } = await app.given.apiKey()
      const target = { host_app: 'crm', id: '1', kind: 'contact' }
      await app.rest('POST', '/api/enrich/v1/jobs', { key, body: { target } })
      const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)
      await app.services.database.prisma.enrichmentJob.updateMany({ where: { orgId }, data: { runAfter: ago(90) } })

      expect(await figure(app, 'rolocom_workers')).toBe(0)
      expect(await figure(app, 'rolocom_work_oldest_due_seconds\\{work="enrichment_jobs"\\}')).toBeCloseTo(90, -1)
      for (const work of ['calls', 'runs', 'deliveries', 'webhooks'])
        expect(await figure(app, `rolocom_work_oldest_due_seconds\\{work="${work}"\\}`)).toBe(0)

      const worker = await startApp({ database: app.database, env: { ROLES: 'worker' } })
      expect(await figure(app, 'rolocom_workers')).toBe(1)
      await worker.close()
      await vi.waitFor(async () => expect(await figure(app, 'rolocom_workers')).toBe(0))
    } finally {
      await app.close()
    }
  })
})
