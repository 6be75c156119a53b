// The gateway's organization in production: the one of the first start, never one of a sign-up.

import { afterAll, expect, test } from 'vitest'
import { seedUnclaimed } from '../../prisma/seed/seed.ts'
import { firstOrganization } from '../../src/identity/organizations/first.ts'
import { hookToken, startApp, type TestApp } from '../support/app.ts'
import { createTestDatabase } from '../support/database/database.ts'

const env = { NODE_ENV: 'production', HOOKS_ENABLED: '1', ROLES: 'web,api,session,gateway', PUBLIC_URL: 'https://crm.example' }
const apps: TestApp[] = []
const start = async (more: Record<string, string> = {}) => {
  const started = await startApp({ database, env: { ...env, ...more } })
  apps.push(started)
  return started
}
const database = await createTestDatabase()
const app = await start()
afterAll(async () => {
  for (const one of apps) await one.close()
  await database.drop()
})

const wake = (text: string) =>
  app.rest('POST', '/hooks/wake', { headers: { authorization: `Bearer ${hookToken}` }, body: { text, mode: 'next-heartbeat' } })
const events = (session: string, orgId?: string) =>
  app.graphql('{ systemEvents { nodes { text } } }', undefined, { session, ...(orgId && { headers: { 'x-org-id': orgId } }) })
const warnings = ({ log }: TestApp) =>
  log.filter(line => line.includes('gateway.organizationId')).map(line => JSON.parse(line).msg as string)

test('the first user to sign up reads nothing; the one who claims the first organization reads everything', async () => {
  expect((await wake('nobody is there')).status).toBe(503)
  const first = await seedUnclaimed(app.services)
  const firstId = await firstOrganization(app.services)
  const stranger = await app.given.session()
  expect((await wake('for the operator')).status).toBe(200)
  expect((await events(stranger.session)).body.data.systemEvents.nodes).toEqual([])
  expect(warnings(await start())).toEqual([
    `The gateway belongs to ${firstId} ("My organization"), which nobody has claimed, so nobody reads its events: run npm run rolocom -- claim, or set gateway.organizationId in GATEWAY_CONFIG; the others here are ${stranger.orgId} ("Test organization")`,
  ])

  const claimed = await app.rest('POST', `/claim/${first?.claimToken}`, {
    body: { action: 'sign_up', email: 'operator@example.com', password: 'correct horse battery' },
  })
  expect(claimed.body.organization).toEqual({ id: firstId, name: 'My organization', role: 'owner' })
  const read = await events(claimed.body.session_token)
  expect(read.body.data.systemEvents.nodes).toEqual([{ text: expect.stringContaining('for the operator') }])
  expect(warnings(await start())).toEqual([])
})

test('a new user gets no credits in production, unless a setting says so', async () => {
  const session = async (at: TestApp, email: string) => {
    const { body } = await at.rest('POST', '/idp/sign-up/email', { body: { email, password: 'correct horse battery', name: 'A' } })
    const token = await at.rest('GET', '/idp/token', { session: body.token })
    return (await at.rest('POST', '/api/auth/session', { session: token.body.token })).body.session_token
  }
  const balance = async (at: TestApp, email: string) =>
    (await at.rest('GET', '/api/credits/balance', { session: await session(at, email) })).body.available
  const generous = await start({ CREDITS_NEW_USER_GRANT: '7' })

  expect([await balance(app, 'none@example.com'), await balance(generous, 'seven@example.com')]).toEqual([0, 7])
})
