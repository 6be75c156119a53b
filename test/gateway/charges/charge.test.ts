// The cost of runs: in the ledger of the same database, or through the credit API of another server.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { serviceToken, startApp } from '../../support/app.ts'
import { startGateway, type TestGateway, until } from '../../support/gateway.ts'
import { keepOpen } from '../../support/open.ts'
import { startModel } from '../../support/servers/model.ts'

const model = await keepOpen(startModel())
afterEach(() => {
  model.requests.length = 0
  model.behave(() => ({ text: 'Done.' }))
})

// The model reports 15 tokens for each answer, which cost 0.15 credits.
const config = () => ({
  models: { default: 'local/small', providers: { local: model.provider } },
  heartbeat: { everyMinutes: 0 },
  agents: { pricePerRun: 2, pricePerThousandTokens: 10 },
  hooks: {
    creditCeiling: 5,
    mappings: [
      { id: 'tight', match: { path: 'tight' }, messageTemplate: 'a', creditCeiling: 2.2, deliver: false, wakeMode: 'next-heartbeat' },
      { id: 'rich', match: { path: 'rich' }, messageTemplate: 'a', creditCeiling: 500, deliver: false, wakeMode: 'next-heartbeat' },
      { id: 'impossible', match: { path: 'impossible' }, messageTemplate: 'a', creditCeiling: 2 },
    ],
  },
})
const agent = { message: 'a', deliver: false, wakeMode: 'next-heartbeat' }
const run = async (gateway: TestGateway, name = 'agent', body: unknown = name === 'agent' ? agent : {}) =>
  gateway.finished((await gateway.hook(name, body)).body.runId)
const chargedFor = async (gateway: TestGateway, id: string) => {
  const { agentRun } = await gateway.ask('query ($id: ID!) { agentRun(id: $id) { usage { creditsCharged } } }', { id })
  return agentRun.usage.creditsCharged
}

describe('in the ledger of the same database', () => {
  let gateway: TestGateway
  let before: { balance: number }
  const account = async () => (await gateway.rest('GET', '/api/credits/balance', { session: gateway.owner.session })).body
  beforeAll(async () => {
    gateway = await startGateway({ config: config(), env: { CREDITS_NEW_USER_GRANT: '100' } })
  })
  afterAll(() => gateway.close())
  afterEach(async () => {
    expect((await account()).reserved).toBe(0)
  })
  const spent = async () => Math.round((before.balance - (await account()).balance) * 1e6) / 1e6

  test('a completed run costs its price and its tokens, once', async () => {
    before = await account()
    model.behave((_request, count) => (count === 1 ? { calls: [{ name: 'find_contacts', input: {} }] } : { text: 'Nobody.' }))
    const told = await run(gateway)

    expect(told).toMatchObject({ status: 'completed', usage: { totalTokens: 30 } })
    expect(await spent()).toBe(2.3)
    expect(await chargedFor(gateway, told.runId)).toBe(2.3)
    const { body } = await gateway.rest('GET', '/api/credits/transactions?type=settle', { session: gateway.owner.session })
    expect(body.data[0]).toMatchObject({ amount: -2.3, reference: `run:${told.runId}` })
  })

  test('a failed run costs its tokens alone; a retry costs its own tokens and the price of a run', async () => {
    before = await account()
    model.behave((_request, count) => (count === 1 ? { calls: [{ name: 'find_contacts', input: {} }] } : { status: 400 }))
    const told = await run(gateway)
    expect(told.status).toBe('failed')
    expect(await spent()).toBe(0.15)

    model.behave(() => ({ text: 'Better now.' }))
    await gateway.ask('mutation ($id: ID!) { retryAgentRun(input: { id: $id }) { status } }', { id: told.runId })
    expect((await gateway.finished(told.runId)).status).toBe('completed')
    expect(await spent()).toBe(2.3)
    expect(await chargedFor(gateway, told.runId)).toBe(2.3)
  })

  test('a run whose ceiling is reached ends, says so, and costs no more than its ceiling', async () => {
    before = await account()
    model.behave(() => ({ calls: [{ name: 'find_contacts', input: {} }] }))
    const told = await run(gateway, 'tight')

    // 2.15 after the first answer, 2.3 after the second.
    expect(model.requests).toHaveLength(2)
    expect(told).toMatchObject({ status: 'failed', error: 'its credit ceiling of 2.2 was reached', usage: { totalTokens: 30 } })
    expect(told.summary).toBe('Hook: failed: its credit ceiling of 2.2 was reached')
    expect(await spent()).toBe(0.3)
  })

  test('a run that its owner cannot pay is not started', async () => {
    const told = await run(gateway, 'rich')

    expect(told).toMatchObject({
      status: 'failed',
      error: 'its owner has too few credits: it may cost 500',
    })
    expect(model.requests).toEqual([])
    expect(await chargedFor(gateway, told.runId)).toBe(0)
  })

  test('a heartbeat is a run too', async () => {
    before = await account()
    model.behave(() => ({ text: 'HEARTBEAT_OK' }))
    await gateway.hook('wake', { text: 'a' })

    const charged = await until(async () => {
      const { agentRuns } = await gateway.ask('{ agentRuns(filter: { kind: HEARTBEAT }) { nodes { status usage { creditsCharged } } } }')
      return agentRuns.nodes[0]?.status === 'COMPLETED' ? agentRuns.nodes[0].usage.creditsCharged : undefined
    })
    expect(charged).toBe(2.15)
    expect(await spent()).toBe(2.15)
  })

  test('a mapping whose ceiling is below the price of a run is disabled', async () => {
    expect((await gateway.hook('impossible', {})).status).toBe(404)
    expect(gateway.log.join('')).toContain('must be more than 2, since tokens cost as well (agents.pricePerThousandTokens)')
  })
})

describe('through the credit API of another server', () => {
  test('a run is debited once, however often the response is lost', async () => {
    const session = await startApp({ env: { CREDITS_NEW_USER_GRANT: '100' } })
    const seen: { key: unknown; body: string; status: number }[] = []
    // The first response is lost after the debit.
    const between = createServer(async (req, res) => {
      let body = ''
      for await (const chunk of req) body += chunk
      const headers = req.headers as Record<string, string>
      const answer = await fetch(session.url + req.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': String(headers['idempotency-key']),
          'x-svc-services-token': String(headers['x-svc-services-token']),
        },
        body,
      })
      seen.push({ key: headers['idempotency-key'], body, status: answer.status })
      if (seen.length === 1) return void req.socket.destroy()
      res.writeHead(answer.status).end(await answer.text())
    })
    await new Promise<void>(resolve => between.listen(0, '127.0.0.1', resolve))
    const { port } = between.address() as AddressInfo
    const gateway = await startGateway({ config: config(), env: { SESSION_API_URL: `http://127.0.0.1:${port}/` } })
    const { userId } = gateway.owner
    await session.services.database.prisma.user.create({ data: { id: userId, email: 'owner@example.com' } })
    const balance = async () =>
      (await session.rest('GET', '/api/credits/balance', { headers: { 'x-svc-services-token': serviceToken, 'x-user-id': userId } })).body

    const told = await run(gateway)
    expect(await until(async () => (seen.length >= 2 ? seen.map(({ key, status }) => ({ key, status })) : undefined), 60_000)).toEqual([
      { key: told.runId, status: 200 },
      { key: told.runId, status: 200 },
    ])
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ user_id: userId, amount: 2.15, reference: `run:${told.runId}` })
    expect(await chargedFor(gateway, told.runId)).toBe(2.15)
    expect(await balance()).toMatchObject({ balance: 97.85, reserved: 0 })

    await gateway.close()
    await new Promise<void>(resolve => {
      between.close(() => resolve())
      between.closeAllConnections()
    })
    await session.close()
    // The queue waits before it repeats the task.
  }, 90_000)

  test('the ledger of the same database is not used, and the ceiling holds', async () => {
    const gateway = await startGateway({ config: config(), env: { SESSION_API_URL: 'http://127.0.0.1:9' } })
    model.behave(() => ({ calls: [{ name: 'find_contacts', input: {} }] }))
    const told = await run(gateway, 'tight')

    expect(told.error).toBe('its credit ceiling of 2.2 was reached')
    const { body } = await gateway.rest('GET', '/api/credits/balance', { session: gateway.owner.session })
    expect(body).toMatchObject({ balance: 1000, reserved: 0 })
    await gateway.close()
  })
})
