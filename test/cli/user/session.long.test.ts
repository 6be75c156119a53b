// Signing in by a code, and the commands that need a session: keys, credits, logout.

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { startApp } from '../../support/app.ts'
import { newUser } from './rolocom.ts'

const app = await startApp()
const user = newUser({})
afterAll(async () => {
  user.leave()
  await app.close()
})

test('login keeps a session for the server, which keys, credits and api use until logout', async () => {
  const { session, userId, orgId } = await app.given.session()
  const path = join(user.home, '.config', 'rolocom', 'credentials.json')
  const login = user.start(['login', '--url', `${app.url}/`])
  const [, code] = await vi.waitFor(() => /enter the code (\S+)/.exec(login.said.err) ?? Promise.reject(new Error(login.said.err)), {
    timeout: 60_000,
  })
  const approved = await app.graphql(
    'mutation ($input: DecideDeviceInput!) { approveDevice(input: $input) { clientName } }',
    { input: { userCode: code } },
    { session },
  )
  const signedIn = await login.ended
  const kept = JSON.parse(readFileSync(path, 'utf8'))

  expect(approved.body.data.approveDevice.clientName).toMatch(/^Rolocom on /)
  expect([signedIn.status, JSON.parse(signedIn.out)]).toEqual([0, { url: app.url, user_id: userId, expires_at: expect.any(String) }])
  expect([statSync(path).mode & 0o777, kept.current, Object.keys(kept.servers)]).toEqual([0o600, app.url, [app.url]])

  // No --url and no variable from here on.
  const who = JSON.parse((await user.run(['whoami'])).out)
  const made = await user.run(['keys', 'create', '--label', 'CI', '--scopes', 'contacts:read'])
  const withKey = await user.run(['contacts', 'list'], { env: { ROLOCOM_API_KEY: made.out.trim() } })
  const listed = JSON.parse((await user.run(['keys', 'list', '--json'])).out)
  const revoked = await user.run(['keys', 'revoke', listed[0].id])
  const balance = JSON.parse((await user.run(['credits'])).out)
  const usage = await user.run(['keys', 'dance'])

  expect(who).toMatchObject({ url: app.url, credential: 'session', userId, organizations: [{ id: orgId, role: 'OWNER' }] })
  expect([made.status, made.out, withKey.status]).toEqual([0, expect.stringMatching(/^rcm_\w{38}\n$/), 0])
  expect(listed).toMatchObject([{ label: 'CI', scopes: ['CONTACTS_READ'], revokedAt: null }])
  expect([revoked.out, balance.unit, usage.status]).toEqual([`revoked: ${listed[0].id}  CI\n`, 'credit', 2])

  const out = await user.run(['logout'])
  const after = await user.run(['whoami', '--url', app.url])
  const stale = await app.rest('GET', '/api/auth/session', { session: kept.servers[app.url].token })
  expect([out.status, after.status, stale.status]).toEqual([0, 4, 401])
  expect(() => statSync(path)).toThrow('ENOENT')
})

test('a sign-in that is denied ends with 4 and keeps nothing', async () => {
  const { session } = await app.given.session()
  const login = user.start(['login', '--url', app.url, '--no-browser'])
  const [, code] = await vi.waitFor(() => /enter the code (\S+)/.exec(login.said.err) ?? Promise.reject(new Error(login.said.err)), {
    timeout: 60_000,
  })
  await app.graphql(
    'mutation ($input: DecideDeviceInput!) { denyDevice(input: $input) { status } }',
    { input: { userCode: code } },
    { session },
  )

  expect(await login.ended).toMatchObject({ status: 4, out: '', err: expect.stringContaining('denied in the browser') })
  expect(() => statSync(join(user.home, '.config', 'rolocom'))).not.toThrow('EACCES')
})
