// Workers that die, stall or stop during a run: another one continues it, and nothing happens twice.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { gatewayOrganization } from '../../../src/gateway/organization.ts'
import { claimRun } from '../../../src/gateway/runs/claim.ts'
import { createTestDatabase, query, type TestDatabase } from '../../support/database/database.ts'
import { startGateway, type TestGateway, until } from '../../support/gateway.ts'
import { startModel } from '../../support/servers/model.ts'
import { startPlatform } from '../../support/servers/platform.ts'

let database: TestDatabase
let model: Awaited<ReturnType<typeof startModel>>
let platform: Awaited<ReturnType<typeof startPlatform>>
const open: TestGateway[] = []
beforeEach(async () => {
  database = await createTestDatabase()
  model = await startModel()
  platform = await startPlatform()
})
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close()
  await model.close()
  await platform.close()
  await database.drop()
})

const start = async (works = true, agents = {}) => {
  const gateway = await startGateway({
    database,
    works,
    config: {
      models: { default: 'local/small', providers: { local: model.provider } },
      heartbeat: { everyMinutes: 0 },
      agents,
      hooks: { scopes: ['contacts:read', 'contacts:write'] },
      channels: {
        telegram: { botToken: '1:abc', baseUrl: platform.baseUrl, defaultTo: '42' },
        discord: { botToken: 'dc', baseUrl: platform.baseUrl },
      },
      lastChannelFallback: 'telegram',
    },
  })
  open.push(gateway)
  if (open.length === 1) await gateway.given.organization()
  return gateway
}
const quiet = { message: 'a', wakeMode: 'next-heartbeat', deliver: false }
const contacts = () => query<{ email: string }>(database.url, 'select email from contacts')
// Leaves the lease as a dead worker would. This worker is alive, and must not renew it before another one is started.
const expired = `lease_until = now() - interval '1 second', lease_token = gen_random_uuid()`
const expire = () => query(database.url, `update gateway_sessions set ${expired} where lease_until is not null`)
/** Waits until a statement is blocked by a lock of another transaction. */
const somebodyWaits = () =>
  until(async () => {
    const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await query(database.url, text)).length > 0 ? true : undefined
  })
const asked = (count: number) => until(async () => (model.requests.length >= count ? true : undefined))

test('a run that another worker took over is finished once, with each tool called once', async () => {
  const first = await start()
  const hanging = Promise.withResolvers<void>()
  model.behave(async (_request, count) => {
    if (count === 1) return { calls: [{ name: 'create_contact', input: { email: 'once@example.com' } }] }
    if (count === 2) {
      await hanging.promise
      return { text: 'The answer of the one that stalled.' }
    }
    return { text: 'The answer of the one that took over.' }
  })
  const { body } = await first.hook('agent', quiet)
  await asked(2)

  await expire()
  const second = await start()
  const told = await second.finished(body.runId)
  hanging.resolve()
  await sleep(300)

  expect(told).toMatchObject({ status: 'completed', summary: 'Hook: The answer of the one that took over.', usage: { steps: 2 } })
  expect(await first.finished(body.runId)).toEqual(told)
  expect(await contacts()).toEqual([{ email: 'once@example.com' }])
  // It continued after the tool's result.
  expect(model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
  const [{ count } = { count: -1 }] = await query<{ count: number }>(database.url, 'select count(*)::int as count from gateway_turns')
  expect(count).toBe(3)
})

test('a run that its stalled worker finishes while another one claims it is not started again', async () => {
  const first = await start(false)
  await first.hook('agent', quiet)
  await query(database.url, `update gateway_sessions set ${expired}`)
  const orgId = await gatewayOrganization(first.services)

  const claiming = await first.services.database.transaction(async db => {
    await db.execute('update gateway_sessions set lease_token = null, lease_until = null')
    await db.execute(`update gateway_runs set status = 'completed'`)
    const claim = claimRun(first.services, orgId)
    await somebodyWaits()
    return { claim }
  })

  expect(await claiming.claim).toBeNull()
  const left = await query(
    database.url,
    'select status, attempt, lease_until from gateway_runs join gateway_sessions s on s.id = session_id',
  )
  expect(left).toEqual([{ status: 'completed', attempt: 0, lease_until: null }])
})

test('a tool call whose result was not stored is repeated with the same key', async () => {
  const first = await start()
  model.behave((_request, count) =>
    count === 1
      ? { calls: [{ name: 'create_contact', input: { email: 'same@example.com' } }] }
      : { text: 'Done.', afterMs: count === 2 ? 60_000 : 0 },
  )
  const { body } = await first.hook('agent', quiet)
  await asked(2)

  // As if the first worker had died between the call and storing its result.
  await query(database.url, 'update gateway_turns set tool_output = null')
  await expire()
  const second = await start()

  expect(await second.finished(body.runId)).toMatchObject({ status: 'completed' })
  expect(await contacts()).toHaveLength(1)
  expect(model.requests.at(-1)?.messages.at(-1)?.content).toContain('same@example.com')
})

test('a heartbeat that another worker took over sees its events once', async () => {
  const first = await start()
  model.behave((_request, count) => ({ text: 'HEARTBEAT_OK', afterMs: count === 1 ? 60_000 : 0 }))
  await first.hook('wake', { text: 'only once' })
  await asked(1)
  await first.hook('wake', { text: 'later' })

  await expire()
  const second = await start()
  await until(async () => (model.requests.length >= 3 ? true : undefined))
  const prompts = model.requests.slice(1).map(({ messages }) => messages.at(-1)?.content ?? '')

  expect(prompts.map(prompt => [prompt.includes('only once'), prompt.includes('later')])).toEqual([
    [true, false],
    [false, true],
  ])
  await second.close()
  open.pop()
  const states = await query(database.url, 'select count(*)::int as seen from gateway_events where seen_at is not null')
  expect(states).toEqual([{ seen: 2 }])
})

test.each([
  ['three', {}, 3],
  ['as many as are set', { maxAttempts: 2 }, 2],
])('a run that takes its workers down is given up after %s of them', async (_, agents, attempts) => {
  const first = await start(false, agents)
  const { body } = await first.hook('agent', { ...quiet, name: 'Deadly' })
  await query(database.url, `update gateway_runs set status = 'running', attempt = ${attempts}`)
  const second = await start(true, agents)

  expect(await second.finished(body.runId)).toMatchObject({
    status: 'failed',
    summary: `Hook Deadly: failed: it was interrupted ${attempts} times`,
  })
})

test('of the events of a heartbeat that takes its workers down, only the one at which they die is given up', async () => {
  await start()
  model.behave(request => ({ text: 'HEARTBEAT_OK', afterMs: JSON.stringify(request.messages.at(-1)).includes('deadly') ? 60_000 : 0 }))
  const [first] = open
  await first?.hook('wake', { text: 'deadly' })
  await first?.hook('wake', { text: 'harmless' })
  // The worker of the heartbeat dies for the third time, and nobody waits for the pause after it.
  const die = async (failed: number) => {
    await query(database.url, `update gateway_runs set attempt = 3 where status = 'running'`)
    await expire()
    await start()
    await until(async () => ((await runs()).filter(({ status }) => status === 'failed').length === failed ? true : undefined))
    await query(database.url, 'update gateway_sessions set heartbeat_not_before = null')
  }
  const runs = () =>
    query<{ status: string; error: string | null }>(database.url, 'select status, error from gateway_runs order by position')
  const events = () =>
    query<{ text: string; status: string }>(
      database.url,
      'select e.text, r.status from gateway_events e left join gateway_runs r on r.id = heartbeat_id order by e.position',
    )
  await asked(1)
  await die(1)
  await asked(2)
  await die(2)

  await until(async () => ((await runs()).some(({ status }) => status === 'completed') ? true : undefined))
  expect(await events()).toEqual([
    { text: 'deadly', status: 'failed' },
    { text: 'harmless', status: 'completed' },
    { text: 'A heartbeat failed: it was interrupted 3 times. Its event is not tried again; the run shows it.', status: null },
  ])
})

test('a process that stops returns its runs to the queue, and they do not fail', async () => {
  const first = await start()
  model.behave((_request, count) => ({ text: `answer ${count}`, afterMs: count === 1 ? 60_000 : 0 }))
  const { body } = await first.hook('agent', quiet)
  await asked(1)
  await first.close()
  open.length = 0
  const [left] = await query<{ status: string; attempt: number }>(database.url, 'select status, attempt from gateway_runs')
  expect(left).toEqual({ status: 'accepted', attempt: 0 })

  const second = await start()
  expect(await second.finished(body.runId)).toMatchObject({ status: 'completed', summary: 'Hook: answer 2' })
})

test('a process that stops returns its heartbeat, which does not count as an interruption', async () => {
  const first = await start()
  model.behave((_request, count) => ({ text: 'HEARTBEAT_OK', afterMs: count === 1 ? 60_000 : 0 }))
  await first.hook('wake', { text: 'again' })
  await asked(1)
  await first.close()
  open.length = 0

  expect(await query(database.url, 'select kind, status, attempt from gateway_runs')).toEqual([
    { kind: 'heartbeat', status: 'running', attempt: 0 },
  ])
})

describe('a process that stops during a claim', () => {
  /** Stops the process while it waits for the lock that the statement takes. Resolves when it has stopped. */
  const stopWhileClaiming = async (first: TestGateway, lock: string) => {
    const { stopped } = await first.services.database.transaction(async db => {
      await db.execute(lock)
      const second = await start()
      await somebodyWaits()
      const stopped = second.close()
      // It is stopping when it accepts no more connections.
      await until(() =>
        fetch(second.url).then(
          () => undefined,
          () => true,
        ),
      )
      return { stopped }
    })
    await stopped
    open.pop()
  }

  test('returns the run', async () => {
    const first = await start(false)
    await first.hook('agent', quiet)
    await stopWhileClaiming(first, 'select pg_advisory_xact_lock(7240031)')

    expect(model.requests).toEqual([])
    const left = await query(
      database.url,
      'select status, attempt, lease_until from gateway_runs join gateway_sessions s on s.id = session_id',
    )
    expect(left).toEqual([{ status: 'accepted', attempt: 0, lease_until: null }])
  })

  test.each(['pending', 'sending'])('returns the delivery that was %s', async state => {
    const first = await start(false)
    await first.hook('agent', quiet)
    await query(
      database.url,
      `insert into gateway_deliveries (id, org_id, run_id, channel, recipient, part, parts, text, state, attempts, lease_until, due_at, updated_at)
       select gen_random_uuid(), org_id, id, 'telegram', '42', 1, 1, 'a', '${state}', 1, '2020-01-01', '2020-01-01', now() from gateway_runs`,
    )
    await query(database.url, `update gateway_runs set status = 'completed'`)
    await stopWhileClaiming(first, 'lock table gateway_deliveries in exclusive mode')

    expect(platform.received).toEqual([])
    const left = await query(database.url, 'select state, attempts, lease_until < now() as due from gateway_deliveries')
    expect(left).toEqual([{ state, attempts: 1, due: true }])
  })
})

test('a delivery whose worker died while sending is sent again only if the channel recognizes repeats', async () => {
  const first = await start()
  platform.reply(() => ({ afterMs: 60_000 }))
  const { body } = await first.hook('agent', { ...quiet, deliver: true })
  await until(async () => (platform.received.length > 0 ? true : undefined))

  await query(database.url, `update gateway_deliveries set ${expired}`)
  const second = await start()
  const told = await second.finished(body.runId)

  expect(told.delivery).toMatchObject({ status: 'unknown', reason: 'the process ended while it was being sent; the channel may have it' })
  expect(platform.received).toHaveLength(1)
})

test('a delivery that takes its workers down is given up after three of them, on a channel that recognizes repeats too', async () => {
  const gateway = await start()
  platform.reply(() => ({ afterMs: 60_000 }))
  const { body } = await gateway.hook('agent', { ...quiet, deliver: true, channel: 'discord', to: '123' })
  for (let deaths = 1; deaths <= 3; deaths++) {
    await until(async () => (platform.received.length >= deaths ? true : undefined))
    await query(database.url, `update gateway_deliveries set ${expired}`)
  }

  const told = await gateway.finished(body.runId)
  expect(told.delivery).toMatchObject({ status: 'unknown', reason: 'the process that worked on it ended 3 times; the channel may have it' })
  expect(platform.received).toHaveLength(3)
})
