// Credentials ended in one process are refused by every other one from the next request on.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { serviceToken, type TestApp } from '../../support/app.ts'
import { query } from '../../support/database/database.ts'
import { keepOpen } from '../../support/open.ts'
import { isLetIn } from '../provider.ts'
import { startTwoProcesses } from '../two-processes.ts'

const { database, first, second } = await keepOpen(startTwoProcesses())

/** Asks until the credential costs no statement. */
async function warmUp(app: TestApp, asked: { key?: string; session?: string }) {
  await expect
    .poll(async () => {
      await new Promise(resolve => setTimeout(resolve, 20))
      app.statements()
      expect(await isLetIn(app, asked)).toBe(true)
      return app.statements()
    })
    .toBe(0)
}
const revokeKey = (app: TestApp, session: string, id: string) =>
  app.graphql('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id } }', { id }, { session })

describe('two processes on one database', () => {
  test('a key revoked in one is refused by the other from the next request on', async () => {
    const { session, orgId } = await first.given.session()
    for (let round = 0; round < 10; round++) {
      const { key, id } = await first.given.apiKey({ orgId })
      await warmUp(second, { key })
      await warmUp(first, { key })

      const { body } = await revokeKey(first, session, id)

      const outcomes = await Promise.all([first, second].flatMap(app => Array.from({ length: 12 }, () => isLetIn(app, { key }))))
      expect(body.data.revokeApiKey).toEqual({ id })
      expect(outcomes).toEqual(Array(24).fill(false))
    }
  })

  test("a session ended in one is refused by the other; the user's other sessions stay valid", async () => {
    const { session, userId } = await first.given.session()
    const { session: other } = await first.given.session({ userId })
    await warmUp(second, { session })
    await warmUp(second, { session: other })

    await first.graphql('mutation { endSession { id } }', undefined, { session })

    expect([await isLetIn(second, { session }), await isLetIn(second, { session: other })]).toEqual([false, true])
  })

  test('an organization created in one is accessible in the other', async () => {
    const { session } = await first.given.session()
    await warmUp(second, { session })

    const { body } = await first.graphql('mutation { createOrganization(input: { name: "Second" }) { id } }', undefined, { session })

    const headers = { 'x-org-id': body.data.createOrganization.id }
    const listed = await second.graphql('{ apiKeys { id } }', undefined, { session, headers })
    expect(listed.body).toEqual({ data: { apiKeys: [] } })
  })
})

describe('a process that receives no notifications', () => {
  const listeners = `select pid from pg_stat_activity where application_name = 'rolocom listener' and datname = current_database()`

  test('reads credentials from the database until it is reconnected, and accepts no revoked key', async () => {
    const { session, orgId } = await first.given.session()
    const { key, id } = await first.given.apiKey({ orgId })
    await warmUp(second, { key })

    await query(database.url, `select pg_terminate_backend(pid) from (${listeners}) l`)
    const { body } = await revokeKey(first, session, id)

    expect(body.data.revokeApiKey).toEqual({ id })
    expect([await isLetIn(first, { key }), await isLetIn(second, { key })]).toEqual([false, false])
    const { key: next } = await first.given.apiKey({ orgId })
    await warmUp(second, { key: next })
  })

  test('because it is paused: a revocation waits until the process distrusts itself', async () => {
    const { session, orgId } = await first.given.session()
    const { key, id } = await first.given.apiKey({ orgId })
    const paused = await startProcess()
    try {
      const ask = () =>
        fetch(`${paused.url}/graphql`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: '{"query":"{ __typename }"}',
        }).then(response => response.json() as Promise<{ errors?: unknown }>)
      for (let i = 0; i < 5; i++) expect((await ask()).errors).toBeUndefined()

      paused.process.kill('SIGSTOP')
      const begun = performance.now()
      await revokeKey(first, session, id)
      const tookMs = performance.now() - begun
      const pending = ask()
      paused.process.kill('SIGCONT')

      expect((await pending).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
      expect(tookMs).toBeGreaterThan(1900)
      expect(tookMs).toBeLessThan(8000)
    } finally {
      paused.process.kill('SIGKILL')
    }
    // Starting a process takes its time on a busy machine.
  }, 60_000)
})

async function startProcess() {
  const server = spawn(process.execPath, [fileURLToPath(new URL('../paused-process.ts', import.meta.url))], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      PORT: '0',
      ROLES: 'api',
      DATABASE_URL: database.url,
      IDENTITY_SECRET: first.services.config.IDENTITY_SECRET,
      SVC_SERVICES_TOKEN: serviceToken,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [address] = (await once(server.stdout, 'data')) as [Buffer]
  return { process: server, url: address.toString().trim() }
}
