// Deliveries: the channel and recipient of a reply, its parts, repeats, and the meaning of `last`.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { workChannel } from '../../../src/gateway/heartbeat/request.ts'
import { createTestDatabase, query } from '../../support/database/database.ts'
import { startGateway, type TestGateway, until } from '../../support/gateway.ts'
import { keepOpen } from '../../support/open.ts'
import { startModel } from '../../support/servers/model.ts'
import { startPlatform } from '../../support/servers/platform.ts'

let gateway: TestGateway
const config = () => ({
  models: { default: 'local/small', providers: { local: model.provider } },
  heartbeat: { everyMinutes: 0 },
  channels: {
    telegram: { botToken: '1:abc', baseUrl: platform.baseUrl, defaultTo: '1000' },
    discord: { botToken: 'dc', baseUrl: platform.baseUrl },
  },
  lastChannelFallback: 'telegram',
})
const model = await keepOpen(startModel())
const platform = await keepOpen(startPlatform())
beforeEach(async () => {
  gateway = await startGateway({ config: config() })
  platform.received.length = 0
  let id = 0
  platform.reply(({ path }) => ({ body: path.includes('/bot') ? { ok: true, result: { message_id: ++id } } : { id: `d${++id}` } }))
  model.behave(() => ({ text: 'The reply.' }))
})
afterEach(() => gateway.close())

const run = async (body: Record<string, unknown> = {}) => {
  const { body: accepted } = await gateway.hook('agent', { message: 'a', wakeMode: 'next-heartbeat', ...body })
  return gateway.finished(accepted.runId)
}
/** The run's delivery as soon as it waits for its next attempt. */
const waiting = (runId: string, attempts: number) =>
  until(async () => {
    const now = await gateway.services.database.prisma.gatewayDelivery.findFirst({ where: { runId } })
    return now?.state === 'pending' && now.attempts === attempts ? now : undefined
  })
/** Advances the clock, and notifies the workers. */
const passTime = (ms: number) => {
  gateway.setNow(new Date(Date.now() + ms))
  gateway.services.notifier.notify(workChannel)
}
const sent = () => platform.received.map(({ body }) => body.text ?? body.content)

describe('a reply', () => {
  test('is sent to the channel and recipient that were asked for, and the channel’s id is kept', async () => {
    const told = await run({ channel: 'telegram', to: '42' })

    expect(told.delivery).toEqual({ status: 'sent', channel: 'telegram', to: '42', messageIds: ['1'], reason: null })
    expect(platform.received.map(({ body }) => body)).toEqual([
      { chat_id: '42', text: 'The reply.', link_preview_options: { is_disabled: true } },
    ])
  })

  test('is not delivered with deliver: false, nor if it is only an acknowledgment', async () => {
    expect((await run({ deliver: false })).delivery.status).toBe('not_requested')
    model.behave(() => ({ text: 'HEARTBEAT_OK' }))
    expect((await run()).delivery.status).toBe('skipped')
    expect(platform.received).toEqual([])
  })

  test('that is long is sent in parts, in order', async () => {
    const words = Array.from({ length: 2000 }, (_, index) => `w${index}`).join(' ')
    model.behave(() => ({ text: words }))
    const told = await run({ channel: 'telegram', to: '42' })

    expect(told.delivery.messageIds).toEqual(['1', '2', '3'])
    expect(sent().join(' ')).toBe(words)
  })

  test('to a channel that is not configured, or to nobody, is undeliverable with the reason', async () => {
    expect((await run({ channel: 'slack', to: 'C1' })).delivery).toEqual({
      status: 'undeliverable',
      channel: 'slack',
      to: 'C1',
      messageIds: [],
      reason: 'the channel slack is not configured',
    })
    expect((await run({ channel: 'discord' })).delivery).toMatchObject({
      status: 'undeliverable',
      reason: 'nobody is named to deliver to: neither "to", nor a last recipient, nor channels.discord.defaultTo',
    })
  })
})

test('`last` is the channel and recipient of the last reply to a user; before any, the fallback and its default', async () => {
  const ofUser = async (input: Record<string, unknown> = {}) => {
    const { startAgentRun } = await gateway.ask('mutation ($input: StartAgentRunInput!) { startAgentRun(input: $input) { runId } }', {
      input: { message: 'a', wakeMode: 'NEXT_HEARTBEAT', ...input },
    })
    return (await gateway.ended(startAgentRun.runId)).delivery
  }
  expect((await run()).delivery).toMatchObject({ status: 'sent', channel: 'telegram', to: '1000' })

  expect(await ofUser({ channel: 'DISCORD', to: '123' })).toEqual({ status: 'SENT', channel: 'DISCORD', to: '123' })
  expect((await run()).delivery).toMatchObject({ status: 'sent', channel: 'discord', to: '123' })
  expect(await ofUser({ to: '456' })).toEqual({ status: 'SENT', channel: 'DISCORD', to: '456' })
  expect(await ofUser()).toEqual({ status: 'SENT', channel: 'DISCORD', to: '456' })
  expect(await ofUser({ channel: 'TELEGRAM' })).toEqual({ status: 'SENT', channel: 'TELEGRAM', to: '1000' })

  const { agentSession } = await gateway.ask('{ agentSession { lastChannel lastRecipient } }')
  expect(agentSession).toEqual({ lastChannel: 'TELEGRAM', lastRecipient: '1000' })
})

describe('a channel that', () => {
  test('limits requests is asked again after its Retry-After, not before', async () => {
    platform.reply((_received, count) =>
      count === 1
        ? { status: 429, body: { ok: false, parameters: { retry_after: 35 } } }
        : { body: { ok: true, result: { message_id: 7 } } },
    )
    const accepted = await gateway.hook('agent', { message: 'a', channel: 'telegram', to: '42', wakeMode: 'next-heartbeat' })
    const { dueAt, updatedAt } = await waiting(accepted.body.runId, 1)
    expect(dueAt.getTime() - updatedAt.getTime()).toBe(35_000)
    passTime(60_000)

    expect((await gateway.finished(accepted.body.runId)).delivery).toMatchObject({ status: 'sent', messageIds: ['7'] })
    expect(sent()).toEqual(['The reply.', 'The reply.'])
  })

  test('refuses a message is not asked again, and later parts are undeliverable', async () => {
    model.behave(() => ({ text: 'x'.repeat(9000) }))
    platform.reply(() => ({ status: 403, body: { ok: false, description: 'Forbidden: bot was blocked by the user' } }))
    const told = await run({ channel: 'telegram', to: '42' })

    expect(told.delivery).toMatchObject({ status: 'undeliverable', reason: '403: Forbidden: bot was blocked by the user' })
    expect(platform.received).toHaveLength(1)
    const { agentRun } = await gateway.ask('query ($id: ID!) { agentRun(id: $id) { deliveries { part state reason attempts } } }', {
      id: told.runId,
    })
    expect(agentRun.deliveries).toEqual([
      { part: 1, state: 'UNDELIVERABLE', reason: '403: Forbidden: bot was blocked by the user', attempts: 1 },
      { part: 2, state: 'UNDELIVERABLE', reason: 'an earlier part of the reply could not be delivered', attempts: 0 },
      { part: 3, state: 'UNDELIVERABLE', reason: 'an earlier part of the reply could not be delivered', attempts: 0 },
    ])
  })

  test('gives the group another id gets the message there at once, and so do later ones', async () => {
    platform.reply(({ body }) =>
      body.chat_id === '-42'
        ? { status: 400, body: { ok: false, description: 'group upgraded', parameters: { migrate_to_chat_id: -10042 } } }
        : { body: { ok: true, result: { message_id: 7 } } },
    )
    const { startAgentRun } = await gateway.ask(
      'mutation { startAgentRun(input: { message: "a", channel: TELEGRAM, to: "-42", wakeMode: NEXT_HEARTBEAT }) { runId } }',
    )
    expect((await gateway.ended(startAgentRun.runId)).delivery).toEqual({ status: 'SENT', channel: 'TELEGRAM', to: '-10042' })
    expect((await run({ channel: 'telegram', to: '-42' })).delivery).toMatchObject({ status: 'sent', to: '-10042' })
    expect((await run()).delivery).toMatchObject({ status: 'sent', to: '-10042' })

    expect(platform.received.map(({ body }) => body.chat_id)).toEqual(['-42', '-10042', '-10042', '-10042'])
  })

  test('gives the group another id twice is asked for the first id, and its topics, at the last one', async () => {
    const moves: Record<string, number> = { '-42': -10042, '-10042': -20042 }
    let isMovedAgain = false
    platform.reply(({ body }) => {
      const movedTo = body.chat_id === '-42' || isMovedAgain ? moves[String(body.chat_id)] : undefined
      return movedTo === undefined
        ? { body: { ok: true, result: { message_id: 7 } } }
        : { status: 400, body: { ok: false, description: 'group upgraded', parameters: { migrate_to_chat_id: movedTo } } }
    })
    const sendTo = async (to: string) => (await run({ channel: 'telegram', to })).delivery.to
    const before = [await sendTo('-42:7'), await sendTo('-42')]
    isMovedAgain = true
    await sendTo('-42:7')
    await sendTo('-42')
    platform.received.length = 0

    expect(before).toEqual(['-10042:7', '-10042'])
    expect([await sendTo('-42:7'), await sendTo('-42')]).toEqual(['-20042:7', '-20042'])
    expect(platform.received.map(({ body }) => [body.chat_id, body.message_thread_id])).toEqual([
      ['-20042', 7],
      ['-20042', undefined],
    ])
  })

  test('may have the message is not sent it again', async () => {
    platform.reply(() => ({ breaks: true }))
    const told = await run({ channel: 'telegram', to: '42' })

    expect(told.delivery).toMatchObject({ status: 'unknown', reason: 'the channel did not answer; it may have the message' })
    expect(platform.received).toHaveLength(1)
  })

  test('recognizes repeats is sent it again, as the same message', async () => {
    platform.reply((_received, count) => (count === 1 ? { breaks: true } : { body: { id: 'd9' } }))
    const accepted = await gateway.hook('agent', { message: 'a', channel: 'discord', to: '123', wakeMode: 'next-heartbeat' })
    await waiting(accepted.body.runId, 1)
    passTime(60_000)

    expect((await gateway.finished(accepted.body.runId)).delivery).toMatchObject({ status: 'sent', messageIds: ['d9'] })
    expect(new Set(platform.received.map(({ body }) => body.nonce)).size).toBe(1)
  })

  test('stays unavailable is given up after three hours', async () => {
    platform.reply(() => ({ status: 503, body: { ok: false, description: 'away' } }))
    const { body } = await gateway.hook('agent', { message: 'a', channel: 'telegram', to: '42', wakeMode: 'next-heartbeat' })
    // The clock advances while the delivery waits, not while it is being sent, or its lease would expire.
    for (let attempt = 1; attempt < 9; attempt++) {
      await waiting(body.runId, attempt)
      passTime(attempt * 1.1 * 3_600_000)
    }
    const told = await gateway.finished(body.runId)

    expect(told.delivery).toMatchObject({ status: 'undeliverable', reason: '503: away' })
    expect(platform.received).toHaveLength(9)
  })
})

test('a message that arrived is sent, though the database was unavailable when the result was to be stored', async () => {
  platform.reply(() => ({ body: { ok: true, result: { message_id: 7 } }, afterMs: 500 }))
  const { body } = await gateway.hook('agent', { message: 'a', channel: 'telegram', to: '42', wakeMode: 'next-heartbeat' })
  await until(async () => (platform.received.length > 0 ? true : undefined))

  await gateway.services.database.transaction(async db => {
    await db.execute('select from gateway_deliveries for update')
    await until(async () => {
      const text = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await query(gateway.database.url, text)).length > 0 ? true : undefined
    })
  })

  expect((await gateway.finished(body.runId)).delivery).toMatchObject({ status: 'sent', messageIds: ['7'] })
  expect(platform.received).toHaveLength(1)
})

test('two workers send every reply once', async () => {
  const database = await createTestDatabase()
  const pair = [await startGateway({ database, config: config() }), await startGateway({ database, config: config() })] as const
  await pair[0].given.organization()
  let count = 0
  model.behave(() => ({ text: `reply ${++count}.` }))

  const accepted = []
  for (let index = 0; index < 20; index++)
    accepted.push(
      await pair[index % 2 === 0 ? 0 : 1].hook('agent', { message: 'a', channel: 'telegram', to: '42', wakeMode: 'next-heartbeat' }),
    )
  for (const { body } of accepted) expect((await pair[0].finished(body.runId)).delivery.status).toBe('sent')
  for (const one of pair) await one.close()
  await database.drop()

  expect(sent().toSorted()).toEqual(Array.from({ length: 20 }, (_, index) => `reply ${index + 1}.`).toSorted())
})
