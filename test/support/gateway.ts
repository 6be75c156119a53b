// A server with a gateway for tests: a configuration file, a signed-in user of its organization, and workers on request.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, hookToken, type StartOptions, startApp } from './app.ts'
import { keepOpen } from './open.ts'

export interface GatewayOptions extends StartOptions {
  /** The gateway's configuration file. */
  config?: Record<string, unknown>
  /** Files of hooks.transformsDir, by name. */
  transforms?: Record<string, string>
  /** Whether its workers run. Default: true. */
  works?: boolean
}

export type TestGateway = Awaited<ReturnType<typeof startGateway>>

/** A server with a gateway for all tests of the file, closed after them. */
export const openGateway = (options?: GatewayOptions) => keepOpen(startGateway(options))

export async function startGateway({ config = {}, transforms = {}, works = true, env = {}, database }: GatewayOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'rolocom-gateway-'))
  const path = join(folder, 'gateway.json5')
  for (const [name, text] of Object.entries(transforms)) writeFileSync(join(folder, name), text)
  writeFileSync(path, JSON.stringify(config))
  const app = await startApp({
    env: {
      ROLES: works ? 'web,api,session,gateway,worker' : 'web,api,session,gateway',
      HOOKS_ENABLED: '1',
      GATEWAY_CONFIG: path,
      ...env,
    },
    ...(database && { database }),
  })
  const owner = database ? null : await app.given.session()

  /** Sends a hook with the hook token, unless the headers have another one. */
  const hook = (name: string, body?: unknown, headers: Record<string, string> = {}, method = 'POST'): Promise<Answer> =>
    app.rest(method, `/hooks/${name}`, { body, headers: { authorization: `Bearer ${hookToken}`, ...headers } })

  return {
    ...app,
    folder,
    hook,
    /** The organization that the gateway belongs to, and a session of its owner. */
    owner: owner ?? { orgId: '', userId: '', session: '' },
    /** The run, as GET /hooks/runs returns it, when it has finished. */
    async finished(runId: string): Promise<Answer['body']> {
      return until(async () => {
        const { body } = await hook(`runs/${runId}`, undefined, {}, 'GET')
        const isOver = body.status === 'completed' || body.status === 'failed'
        return isOver && body.delivery.status !== 'pending' ? body : undefined
      })
    },
    /** The run of a user or a heartbeat, when it has finished. */
    async ended(id: string): Promise<Answer['body']> {
      return until(async () => {
        const { agentRun } = await this.ask(
          'query ($id: ID!) { agentRun(id: $id) { id status sessionKey reply error delivery { status channel to } } }',
          { id },
        )
        return ['COMPLETED', 'FAILED'].includes(agentRun.status) && agentRun.delivery.status !== 'PENDING' ? agentRun : undefined
      })
    },
    /** The data of a query of the gateway's owner. */
    async ask(query: string, variables?: Record<string, unknown>): Promise<Answer['body']> {
      const { body } = await app.graphql(query, variables, { session: owner?.session ?? '' })
      if (body.errors) throw new Error(JSON.stringify(body.errors))
      return body.data
    },
    async close() {
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The first result of `look` that is not undefined. The limit is for failures, and far above the time of a slow machine. */
export async function until<Found>(look: () => Promise<Found | undefined>, ms = 25_000): Promise<Found> {
  const deadline = performance.now() + ms
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms`)
    await sleep(20)
  }
}
