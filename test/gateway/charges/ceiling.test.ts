// The credit ceiling of a run: the reservations of its tools never exceed it together.

import { expect, test } from 'vitest'
import { createContext } from '../../../src/kernel/context.ts'
import { microOf } from '../../../src/kernel/money.ts'
import { serviceToken } from '../../support/app.ts'
import { openGateway } from '../../support/gateway.ts'

const gateway = await openGateway({
  works: false,
  env: { CREDITS_NEW_USER_GRANT: '0' },
  config: { hooks: { mappings: [{ id: 'spender', match: { path: 'spender' }, messageTemplate: 'spend', creditCeiling: 5 }] } },
})
const { userId } = gateway.owner
const headers = { 'x-svc-services-token': serviceToken }
await gateway.rest('POST', '/api/credits/grant', { body: { user_id: userId, amount: 100 }, headers })

test('reservations count together, a refused one keeps nothing, and other runs have ceilings of their own', async () => {
  const { userId, orgId } = gateway.owner
  const runs = [await gateway.hook('spender', {}), await gateway.hook('spender', {}), await gateway.hook('agent', { message: 'a' })]
  const reserve = async (run: number, credits: number) => {
    const runId = String(runs[run]?.body.runId)
    const principal = { kind: 'hook', name: 'spender', orgId, runId, scopes: [], creditCeiling: 5 } as const
    const { services } = gateway
    const context = createContext(services, { principal, requestId: runId, door: 'tools' })
    const expiresAt = new Date(Date.now() + 60_000)
    return services.money.reserve(context, { userId, amountMicro: microOf(credits), reference: `call:${credits}`, expiresAt }).then(
      hold => (hold === null ? 'nothing' : 'reserved'),
      (error: { code: string; extras: unknown }) => ({ code: error.code, extras: error.extras }),
    )
  }

  expect(await reserve(0, 3)).toBe('reserved')
  expect(await reserve(0, 2.5)).toEqual({ code: 'INSUFFICIENT_CREDITS', extras: { required: 2.5, available: 2, shortfall: 0.5 } })
  expect(await reserve(0, 2)).toBe('reserved')
  expect(await reserve(0, 0)).toBe('nothing')
  expect(await reserve(1, 5)).toBe('reserved')
  // By default a run may spend nothing.
  expect(await reserve(2, 0.000001)).toMatchObject({ code: 'INSUFFICIENT_CREDITS', extras: { available: 0 } })

  const { body } = await gateway.rest('GET', '/api/credits/balance', { session: gateway.owner.session })
  expect(body).toMatchObject({ balance: 100, reserved: 10, available: 90 })
  const { agentRun } = await gateway.ask('query ($id: ID!) { agentRun(id: $id) { usage { creditsReserved creditCeiling } } }', {
    id: runs[0]?.body.runId,
  })
  expect(agentRun.usage).toEqual({ creditsReserved: 5, creditCeiling: 5 })
})

test('a reservation that the ledger refuses does not count', async () => {
  const { body } = await gateway.hook('spender', {})
  const runId = String(body.runId)
  const { userId, orgId } = await gateway.given.organization()
  const { services } = gateway
  const principal = { kind: 'hook', name: 'spender', orgId, runId, scopes: [], creditCeiling: 5 } as const
  const context = createContext(services, { principal, requestId: runId, door: 'tools' })
  const reservation = { userId, amountMicro: microOf(4), reference: 'call:x', expiresAt: new Date(Date.now() + 60_000) }

  await expect(services.money.reserve(context, reservation)).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
  const { agentRun } = await gateway.ask('query ($id: ID!) { agentRun(id: $id) { usage { creditsReserved } } }', { id: runId })
  expect(agentRun.usage.creditsReserved).toBe(0)
})
