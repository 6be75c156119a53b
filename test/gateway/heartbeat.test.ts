// Heartbeats: which events they see, in which order, how often, and what happens after a failure.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { claimHeartbeat } from '../../src/gateway/heartbeat/heartbeat.ts'
import { heartbeatChannel } from '../../src/gateway/heartbeat/request.ts'
import { deliverable } from '../../src/gateway/runs/acknowledgment.ts'
import { createTestDatabase, query } from '../support/database/database.ts'
import { startGateway, type TestGateway, until } from '../support/gateway.ts'
import { keepOpen } from '../support/open.ts'
import { startModel } from '../support/servers/model.ts'

const open: TestGateway[] = []
const model = await keepOpen(startModel())
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close()
  model.requests.length = 0
  model.behave(() => ({ text: 'HEARTBEAT_OK' }))
})

const given = async (heartbeat: Record<string, unknown> = {}) => {
  const config = {
    models: { default: 'local/small', providers: { local: model.provider } },
    heartbeat: { everyMinutes: 0, ...heartbeat },
  }
  const gateway = await startGateway({ config })
  open.push(gateway)
  return gateway
}

const heartbeats = async (gateway: TestGateway) =>
  (
    await gateway.ask(
      `{ agentRuns(filter: { kind: HEARTBEAT }) { nodes { id status error reply message delivery { status } events { text state } } } }`,
    )
  ).agentRuns.nodes.toReversed()
const over = (gateway: TestGateway, count: number) =>
  until(async () => {
    const all = await heartbeats(gateway)
    const done = all.filter(({ status }: { status: string }) => status === 'COMPLETED' || status === 'FAILED')
    return done.length >= count ? all : undefined
  })

test('wakes within 250 ms get one heartbeat that sees each of them once, in order', async () => {
  const gateway = await given()
  const began = performance.now()
  for (let index = 1; index <= 20; index++) await gateway.hook('wake', { text: `event ${index}` })
  const quarters = (performance.now() - began) / 250

  const all = await until(async () => {
    const found = await heartbeats(gateway)
    const texts = found.flatMap(({ events }: { events: { text: string; state: string }[] }) => events)
    return texts.some(({ text, state }: { text: string; state: string }) => text === 'event 20' && state === 'SEEN') ? found : undefined
  })
  expect(all.flatMap(({ events }: { events: { text: string }[] }) => events.map(({ text }) => text))).toEqual(
    Array.from({ length: 20 }, (_, index) => `event ${index + 1}`),
  )
  // On a busy machine twenty wakes may take longer than 250 ms.
  expect(all.length).toBeLessThanOrEqual(quarters + 2)
  const told = model.requests.map(({ messages }) => messages.at(-1)?.content ?? '').join('\n')
  expect([...told.matchAll(/"event (\d+)"/g)].map(([, number]) => Number(number))).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 1),
  )
})

test('a new wake waits for its notification, also when the workers poll before', async () => {
  const gateway = await startGateway({ works: false, config: { heartbeat: { everyMinutes: 0 } } })
  open.push(gateway)
  const { services } = gateway
  const look = async (isUrgent: boolean) => (await claimHeartbeat(services, gateway.owner.orgId, { isUrgent }))?.run.message
  const start = Date.now()
  gateway.setNow(new Date(start))
  await gateway.hook('wake', { text: 'first' })
  gateway.setNow(new Date(start + 100))
  await gateway.hook('wake', { text: 'second' })

  gateway.setNow(new Date(start + 200))
  expect(await look(false)).toBeUndefined()
  gateway.setNow(new Date(start + 250))
  expect(await look(false)).toMatch(/first.*\n.*second/)

  await query(gateway.database.url, `update gateway_sessions set lease_until = null`)
  await query(gateway.database.url, `update gateway_runs set status = 'completed'`)
  await gateway.hook('wake', { text: 'third' })
  let hasRung = false
  services.notifier.subscribe(heartbeatChannel, () => {
    hasRung = true
  })
  await until(async () => (hasRung ? true : undefined))
  hasRung = false
  expect(await look(false)).toBeUndefined()
  // Its notification has come before, perhaps while the last heartbeat was running.
  await until(async () => (hasRung ? true : undefined))
  expect(await look(true)).toContain('third')
})

test('a wake for the next heartbeat causes none, and is seen by the next', async () => {
  const gateway = await given()
  await gateway.hook('wake', { text: 'no hurry', mode: 'next-heartbeat' })
  await sleep(800)
  expect(await heartbeats(gateway)).toEqual([])

  await gateway.hook('wake', { text: 'hurry' })

  const [only] = await over(gateway, 1)
  expect(only.events.map(({ text }: { text: string }) => text)).toEqual(['no hurry', 'hurry'])
})

test('a periodic one comes with events and without', async () => {
  const gateway = await given({ everyMinutes: 30 })
  await gateway.hook('wake', { text: 'no hurry', mode: 'next-heartbeat' })
  // The first period begins with the worker's first poll.
  await until(async () => (await gateway.ask('{ agentSessions { nodes { key } } }')).agentSessions.nodes[0])
  gateway.setNow(new Date(Date.now() + 31 * 60_000))
  const [first] = await over(gateway, 1)
  expect(first.events.map(({ text }: { text: string }) => text)).toEqual(['no hurry'])

  gateway.setNow(new Date(Date.now() + 62 * 60_000))
  const [, second] = await over(gateway, 2)
  expect({ events: second.events, reply: second.reply }).toEqual({ events: [], reply: 'HEARTBEAT_OK' })
})

test('events that come while one is running belong to the next', async () => {
  const gateway = await given()
  const others = Promise.withResolvers<void>()
  model.behave(async () => {
    await others.promise
    return { text: 'HEARTBEAT_OK' }
  })
  await gateway.hook('wake', { text: 'first' })
  await until(async () => (model.requests.length > 0 ? true : undefined))
  await gateway.hook('wake', { text: 'second' })
  await gateway.hook('wake', { text: 'third' })
  others.resolve()

  const all = await over(gateway, 2)

  expect(all.map(({ events }: { events: { text: string }[] }) => events.map(({ text }) => text))).toEqual([['first'], ['second', 'third']])
})

test('a failed one leaves its events for the next', async () => {
  const gateway = await given()
  model.behave(() => ({ status: 400 }))
  await gateway.hook('wake', { text: 'must not be lost' })
  const [failed] = await over(gateway, 1)
  // It would be tried again later.
  gateway.setNow(new Date())
  expect({ status: failed.status, error: failed.error, events: failed.events }).toEqual({
    status: 'FAILED',
    error: 'the model answered 400: the model says 400',
    events: [],
  })
  const { systemEvents } = await gateway.ask('{ systemEvents { nodes { text state } } }')
  expect(systemEvents.nodes).toEqual([{ text: 'must not be lost', state: 'QUEUED' }])

  model.behave(() => ({ text: 'HEARTBEAT_OK' }))
  await gateway.hook('wake', { text: 'and another' })

  const [, next] = await over(gateway, 2)
  expect(next.events.map(({ text }: { text: string }) => text)).toEqual(['must not be lost', 'and another'])
})

test('a failed one is tried again by itself, after a pause', async () => {
  const gateway = await given()
  model.behave((_request, count) => (count === 1 ? { status: 400 } : { text: 'HEARTBEAT_OK' }))
  await gateway.hook('wake', { text: 'patience' })
  await over(gateway, 1)

  gateway.setNow(new Date(Date.now() + 10_000))

  const [, next] = await over(gateway, 2)
  expect(next.events.map(({ text }: { text: string }) => text)).toEqual(['patience'])
})

test('an accepted wake gets a heartbeat although the process that accepted it dies at once', async () => {
  const database = await createTestDatabase()
  const first = await startGateway({ database, works: false })
  await first.given.organization()
  expect((await first.hook('wake', { text: 'orphan' })).status).toBe(200)
  await first.close()

  const second = await startGateway({ database, config: { models: { default: 'local/small', providers: { local: model.provider } } } })
  await until(async () => (model.lastPrompt().includes('orphan') ? true : undefined))
  await second.close()
  await database.drop()
})

test('two workers have one heartbeat at a time, and no event twice', async () => {
  const database = await createTestDatabase()
  const config = { models: { default: 'local/small', providers: { local: model.provider } }, heartbeat: { everyMinutes: 0 } }
  const gateways = [await startGateway({ database, config }), await startGateway({ database, config })]
  const [one, other] = gateways as [TestGateway, TestGateway]
  await one.given.organization()
  let running = 0
  let most = 0
  model.behave(async () => {
    most = Math.max(most, ++running)
    await sleep(50)
    running--
    return { text: 'HEARTBEAT_OK' }
  })

  for (let index = 1; index <= 40; index++) {
    await (index % 2 ? one : other).hook('wake', { text: `event ${index}.` })
    await sleep(20)
  }
  const seen = () =>
    model.requests.flatMap(({ messages }) => [...(messages.at(-1)?.content ?? '').matchAll(/event (\d+)\./g)].map(([, number]) => number))
  await until(async () => (seen().length >= 40 ? true : undefined))
  await sleep(500)

  expect(seen()).toEqual(Array.from({ length: 40 }, (_, index) => String(index + 1)))
  expect(most).toBe(1)
  for (const gateway of gateways) await gateway.close()
  await database.drop()
})

describe('the reply', () => {
  test.each([
    ['an alert on lines of its own', 'HEARTBEAT_OK\n\nThe disk of db-1 is full.', 'The disk of db-1 is full.'],
    ['an alert before it', 'The disk of db-1 is full.\n\n**HEARTBEAT_OK**', 'The disk of db-1 is full.'],
    ['a long alert', `HEARTBEAT_OK. ${'The disk is full. '.repeat(20)}`, 'The disk is full. '.repeat(20).trim()],
    ['the word in a sentence', 'I would say `HEARTBEAT_OK` here, but the disk is full.', 'I would say  here, but the disk is full.'],
    ['an alert after it in brackets', '[HEARTBEAT_OK]\nThe disk is full.', 'The disk is full.'],
    ['a backslash', 'The disk is full.\n\nHEARTBEAT\\_OK', 'The disk is full.'],
    ['a symbol beside the word', '✅ HEARTBEAT_OK\nThe disk is full.', 'The disk is full.'],
    ['a numbered list', '1. HEARTBEAT_OK\n2. The disk is full.', '2. The disk is full.'],
    ['a frame', '| HEARTBEAT_OK |\r\nThe disk is full.', 'The disk is full.'],
    ['a fence around the word', '```text\nHEARTBEAT_OK\n```\nThe disk is full.', 'The disk is full.'],
    ['code', 'HEARTBEAT_OK\n```\ndf -h\n```', '```\ndf -h\n```'],
    ['a list', 'Status:\n- HEARTBEAT_OK\n- the disk is full', 'Status:\n- the disk is full'],
  ])('with %s is delivered without the word', (_what, reply, delivered) => {
    expect(deliverable(reply)).toBe(delivered)
  })

  test.each([
    '',
    ' \n ',
    'HEARTBEAT_OK',
    '"HEARTBEAT_OK"',
    '# HEARTBEAT_OK',
    'HEARTBEAT_OK\n',
    `HEARTBEAT_OK ${'x'.repeat(300)}`,
    'All quiet. HEARTBEAT_OK!',
    '(HEARTBEAT_OK)',
    '“HEARTBEAT_OK”',
    '<b>HEARTBEAT_OK</b>',
    'HEARTBEAT\\_OK',
    '```\nHEARTBEAT_OK\n```',
    '\ufeffHEARTBEAT_OK\u200b',
  ])('%j is an acknowledgment alone', reply => {
    expect(deliverable(reply)).toBeNull()
  })

  test.each([
    ['HEARTBEAT_OK', 'SKIPPED'],
    ['', 'SKIPPED'],
    ['**HEARTBEAT_OK** all is quiet', 'SKIPPED'],
    ['Nothing to see. HEARTBEAT_OK.', 'SKIPPED'],
    [`HEARTBEAT_OK ${'x'.repeat(301)}`, 'UNDELIVERABLE'],
    ['HEARTBEAT_OKAY then', 'UNDELIVERABLE'],
    ['The server is on fire', 'UNDELIVERABLE'],
  ])('%j is %s', async (text, status) => {
    const gateway = await given()
    model.behave(() => ({ text }))
    await gateway.hook('wake', { text: 'a' })

    const [only] = await over(gateway, 1)

    expect(only.delivery.status).toBe(status)
  })
})

test('the main session is one conversation: a heartbeat knows what the last one said', async () => {
  const gateway = await given()
  model.behave(() => ({ text: 'I have noted the invoice 4711.' }))
  await gateway.hook('wake', { text: 'Invoice 4711 is overdue' })
  await over(gateway, 1)
  await gateway.hook('wake', { text: 'Invoice 4712 is overdue' })
  await over(gateway, 2)

  const roles = model.requests.at(-1)?.messages.map(({ role }) => role)
  expect(roles).toEqual(['system', 'user', 'assistant', 'user'])
  expect(model.requests.at(-1)?.messages[2]?.content).toBe('I have noted the invoice 4711.')

  const { agentSession } = await gateway.ask('{ agentSession(key: "main") { isMain turnCount turns { nodes { seq role text } } } }')
  expect({ isMain: agentSession.isMain, turnCount: agentSession.turnCount }).toEqual({ isMain: true, turnCount: 4 })
  expect(agentSession.turns.nodes.map(({ seq, role }: { seq: number; role: string }) => [seq, role])).toEqual([
    [4, 'ASSISTANT'],
    [3, 'USER'],
    [2, 'ASSISTANT'],
    [1, 'USER'],
  ])
})

test('many long events take more than one heartbeat, and each is seen, in order', async () => {
  const gateway = await given()
  await Promise.all(
    Array.from({ length: 8 }, (_, index) => gateway.hook('wake', { text: `${index} ${'x'.repeat(60_000)}`, mode: 'next-heartbeat' })),
  )
  await gateway.hook('wake', { text: 'last' })

  const all = await over(gateway, 3)

  const texts = all.flatMap(({ events }: { events: { text: string }[] }) => events.map(({ text }) => text.slice(0, 4)))
  expect(texts).toHaveLength(9)
  expect(texts.at(-1)).toBe('last')
})
