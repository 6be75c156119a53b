// A whole server for a test: a real port and database; the test reads its log and sets its clock.

import { randomBytes, scryptSync } from 'node:crypto'
import { pino } from 'pino'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { v7 as uuid } from 'uuid'
import { readConfig } from '../../src/config/environment.ts'
import { auditCredits } from '../../src/credits/ledger/audit.ts'
import type { Statement } from '../../src/database/statement.ts'
import { createClaim } from '../../src/identity/invitations/invitation.ts'
import { insertApiKey } from '../../src/identity/keys/key.ts'
import { createOrganizationFor } from '../../src/identity/organizations/organization.ts'
import { insertSession } from '../../src/identity/sessions/session.ts'
import { createContext } from '../../src/kernel/context.ts'
import type { Role, Scope } from '../../src/kernel/principal.ts'
import { traceMixin } from '../../src/server/log.ts'
import { start } from '../../src/server/start.ts'
import type { WebApp } from '../../src/server/web/app.ts'
import type { Telephony } from '../../src/voice/providers/telephony.ts'
import { createTestDatabase, type TestDatabase } from './database/database.ts'
import { keepOpen } from './open.ts'

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
  /** Settings beyond the tests' own; the names of environment.ts. */
  env?: Record<string, string>
  /** Another app's database, for several processes on one. */
  database?: TestDatabase
  /** Telephony providers in place of the configured ones. */
  telephony?: Partial<Telephony>
  /** Default: no pages. */
  web?: WebApp
}

// The library's scrypt at a hundredth of its cost: tests sign up and in hundreds of times.
const cheapHash = (password: string, salt: string) =>
  scryptSync(password.normalize('NFKC'), salt, 64, { N: 128, r: 16, p: 1 }).toString('hex')
const cheapPasswords = {
  async hash(password: string) {
    const salt = randomBytes(16).toString('hex')
    return `${salt}:${cheapHash(password, salt)}`
  },
  verify: async ({ hash, password }: { hash: string; password: string }) =>
    hash === `${hash.split(':')[0]}:${cheapHash(password, hash.split(':')[0] ?? '')}`,
}

// A server that stops waits a quarter of a second for requests on its idle connections, which fetch would keep open.
function dropIdleConnections() {
  const before = getGlobalDispatcher()
  setGlobalDispatcher(new Agent())
  void before.close()
}

export type TestApp = Awaited<ReturnType<typeof startApp>>

/** A server for all tests of the file, closed after them. */
export const openApp = (options?: StartOptions) => keepOpen(startApp(options))

export async function startApp({ env = {}, database: shared, telephony, web }: StartOptions = {}) {
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
    // None waits for a load balancer.
    DRAIN_SECONDS: '0',
    SVC_SERVICES_TOKEN: serviceToken,
    HOOKS_TOKEN: hookToken,
    IDENTITY_SECRET: 'test-identity-secret-0123456789abcdef',
    SIGN_UP: 'open',
    PAID_PROVIDER_ORGANIZATIONS: '*',
    // Long enough for a provider's answer on a busy machine. Tests of slow providers set less.
    VOICE_DISPATCH_WAIT_MS: '20000',
    ...env,
    DATABASE_URL: database.url,
  })
  const running = await start(config, {
    log: pino({ level: 'debug', base: undefined, ...traceMixin(config) }, { write: (line: string) => void lines.push(line) }),
    databaseUrl: database.url,
    ...(telephony && { telephony }),
    passwords: cheapPasswords,
    web,
    now: () => (clock ? new Date(clock) : new Date()),
    onStatement: name => {
      // Notifications are sent in batches, a little after the write that they are about.
      if (name !== 'notify') statements++
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
    async apiKey({
      orgId,
      userId = 'user-test',
      scopes = ['*'],
      expiresAt,
    }: {
      orgId?: string
      userId?: string
      scopes?: (Scope | '*')[]
      expiresAt?: Date
    } = {}) {
      const owner = orgId === undefined ? await given.organization() : { orgId, userId }
      const { key, apiKey } = await insertApiKey(asSystem(owner.orgId), {
        label: 'Test key',
        scopes,
        orgIds: [owner.orgId],
        userId: owner.userId,
        expiresAt: expiresAt ?? null,
      })
      return { ...owner, key, id: apiKey.id }
    },
    /** Another user in the organization, signed in. */
    async member({ orgId, role, invitedById = null }: { orgId: string; role: Role; invitedById?: string | null }) {
      const userId = `user-${uuid()}`
      const { prisma } = services.database
      await prisma.user.create({ data: { id: userId, email: `${userId}@example.com`, name: `The ${role}` } })
      await prisma.membership.create({ data: { userId, organizationId: orgId, role, invitedById, createdAt: services.now() } })
      return { ...(await given.session({ userId })), orgId }
    },
    /** The token of an address by which one person joins the organization. */
    claim: async (orgId: string) => (await createClaim(asSystem(null), orgId)).token,
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
    /** The context of the system in an organization, for rules that no door calls. */
    asSystem,
    /** The same, with the statements that it sends. */
    recording(orgId: string) {
      const sent: { statement: Statement<unknown>; values: readonly unknown[] }[] = []
      const query: typeof services.database.query = (statement, values = []) => {
        sent.push({ statement, values })
        return services.database.query(statement, values)
      }
      return { sent, context: { ...asSystem(orgId), db: { ...services.database, query } } }
    },
    /** Every line logged so far. */
    log: lines,
    rest: request,
    graphql: (query: string, variables?: Record<string, unknown>, asked: Omit<Asked, 'body'> = {}) =>
      request('POST', '/graphql', { ...asked, body: { query, ...(variables && { variables }) } }),
    /** The number of statements sent since the last call. */
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
      clock = null
      try {
        // The ledger must be consistent after every test file.
        const { findings } = await auditCredits(services.database)
        if (findings.length > 0) throw new Error(`The ledger does not add up: ${JSON.stringify(findings)}`)
      } finally {
        dropIdleConnections()
        await running.stop(1_000)
        if (!shared) await database.drop()
      }
    },
  }
}
