// A whole server for a test: real port, real database, its log and its clock in the test's hands.

import { pino } from 'pino'
import { v7 as uuid } from 'uuid'
import { readConfig } from '../../src/config.ts'
import { createContext } from '../../src/context.ts'
import { auditCredits } from '../../src/credits/audit.ts'
import { insertApiKey } from '../../src/identity/api-key.ts'
import { createOrganizationFor } from '../../src/identity/organization.ts'
import type { Scope } from '../../src/identity/principal.ts'
import { insertSession } from '../../src/identity/session.ts'
import { start } from '../../src/start.ts'
import type { Telephony } from '../../src/voice/telephony.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

export const serviceToken = 'test-service-token-0123456789'
export const hookToken = 'test-hook-token-0123456789ab'

// biome-ignore lint/suspicious/noExplicitAny: answers are asserted as whole values; typing each would say the test twice.
export type Json = any

export interface Asked {
  body?: unknown
  /** An API key. */
  key?: string
  /** A session token. */
  session?: string
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  body: Json
}

export interface StartOptions {
  /** Settings beyond the tests' own; the names of config.ts. */
  env?: Record<string, string>
  /** Another app's database, for several processes on one. */
  database?: TestDatabase
  /** Telephone companies instead of the configured ones. */
  telephony?: Partial<Telephony>
}

export type TestApp = Awaited<ReturnType<typeof startApp>>

export async function startApp({ env = {}, database: shared, telephony }: StartOptions = {}) {
  const database = shared ?? (await createTestDatabase())
  const lines: string[] = []
  let statements = 0
  let clock: Date | null = null
  const config = readConfig({
    PORT: '0',
    NODE_ENV: 'test',
    RATE_LIMIT: '0',
    ROLES: 'web,api,session',
    DATABASE_POOL_SIZE: '8',
    SVC_SERVICES_TOKEN: serviceToken,
    HOOKS_TOKEN: hookToken,
    IDENTITY_SECRET: 'test-identity-secret-0123456789abcdef',
    SIGN_UP: 'open',
    PAID_PROVIDER_ORGANIZATIONS: '*',
    // A provider answers before anybody has stopped waiting, however busy the machine is. Tests of slow ones wait less.
    VOICE_DISPATCH_WAIT_MS: '20000',
    ...env,
    DATABASE_URL: database.url,
  })
  const running = await start(config, {
    log: pino({ level: 'debug', base: undefined }, { write: (line: string) => void lines.push(line) }),
    databaseUrl: database.url,
    ...(telephony && { telephony }),
    now: () => (clock ? new Date(clock) : new Date()),
    onStatement: name => {
      // Announcements leave on their own, a little later than what they announce.
      if (name !== 'bell_ring') statements++
    },
  })
  const { services, url } = running
  const asSystem = (orgId: string | null) =>
    createContext(services, { principal: { kind: 'system', name: 'test', orgId }, requestId: uuid(), door: 'system' })

  async function request(method: string, path: string, { body, key, session, headers = {} }: Asked = {}): Promise<Answer> {
    const token = key ?? session
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text }
  }

  const given = {
    /** A user with an organization of their own. */
    async organization(name = 'Test organization') {
      const userId = `user-${uuid()}`
      await services.database.prisma.user.create({ data: { id: userId, email: `${userId}@example.com`, name: 'Test User' } })
      const { id } = await createOrganizationFor(asSystem(null), { userId, name })
      return { orgId: id, userId }
    },
    /** An organization with a key that may do everything, or what the scopes say. */
    async apiKey({ orgId, scopes = ['*'], expiresAt }: { orgId?: string; scopes?: (Scope | '*')[]; expiresAt?: Date } = {}) {
      const owner = orgId === undefined ? await given.organization() : { orgId, userId: 'user-test' }
      const { key, apiKey } = await insertApiKey(asSystem(owner.orgId), {
        label: 'Test key',
        scopes,
        orgIds: [owner.orgId],
        userId: owner.userId,
        expiresAt: expiresAt ?? null,
      })
      return { ...owner, key, id: apiKey.id }
    },
    /** An organization with a signed-in owner. */
    async session({ userId }: { userId?: string } = {}) {
      const owner = userId === undefined ? await given.organization() : { userId, orgId: '' }
      const { sessionToken } = await insertSession(asSystem(null), { userId: owner.userId, userAgent: 'test', ipAddress: '127.0.0.1' })
      return { ...owner, session: sessionToken }
    },
  }

  return {
    url,
    services,
    database,
    given,
    /** Every line logged so far. */
    log: lines,
    rest: request,
    graphql: (query: string, variables?: Record<string, unknown>, asked: Omit<Asked, 'body'> = {}) =>
      request('POST', '/graphql', { ...asked, body: { query, ...(variables && { variables }) } }),
    /** Statements sent since the last time this was asked. */
    statements() {
      const count = statements
      statements = 0
      return count
    },
    /** Stops the clock at a time; null lets it run again. */
    setNow(time: Date | null) {
      clock = time
    },
    async close() {
      try {
        // Whatever a file of tests did with money, the ledger adds up in the end.
        const { findings } = await auditCredits(services.database)
        if (findings.length > 0) throw new Error(`The ledger does not add up: ${JSON.stringify(findings)}`)
      } finally {
        await running.stop(1_000)
        if (!shared) await database.drop()
      }
    },
  }
}
