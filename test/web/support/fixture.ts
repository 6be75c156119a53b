// What a story has: a server with its demo data, people, and pages whose errors count.

import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { type Server, startServer } from '../../crash/server.ts'
import { openDatabase } from './database.ts'

export interface Person {
  email: string
  password: string
  name: string
  /** Of a session beside those of the browser, for requests of the story itself. */
  session: string
  userId: string
  orgId: string
}

export interface Fixture {
  server(): Server
  /**
   * Ends the server and starts it again at the same address: SIGKILL with `kill`, otherwise SIGTERM. `meanwhile` happens while it is away.
   * `roles` and `environment` hold until the next restart. Default: all roles, and what the server began with.
   */
  restart(options?: {
    kill?: boolean
    roles?: string
    environment?: Record<string, string>
    meanwhile?: () => Promise<void>
  }): Promise<void>
  /** A user who has signed up, with an organization of their own; with `demo`, an owner of the demo organization instead; with `gateway`, of the first one, the gateway's. */
  person(options?: { demo?: boolean; gateway?: boolean; role?: 'owner' | 'viewer' }): Promise<Person>
  /** Asks GraphQL as a person. Throws the first error. */
  ask<Data>(person: Person, query: string, variables?: Record<string, unknown>): Promise<Data>
  /**
   * A page in a browser of its own (cookies, storage), as a stranger, or signed in as a person, or as a guest. What it reports as an error
   * fails the story. `prepare` comes before the address is opened.
   */
  open(path: string, options?: BrowserContextOptions & { as?: Person | 'guest'; prepare?: (page: Page) => Promise<void> }): Promise<Page>
  /** Another page of the same browser, as a second tab. */
  tab(page: Page, path: string): Promise<Page>
  /** The link by which `email` was asked to sign in last, which the server prints in its log. Waits for it. */
  mailedLink(email: string): Promise<string>
  /** A one-use address at which a person becomes owner of the first organization. */
  claimAddress(): Promise<string>
  /** Errors that the story expects of a page. */
  expects(page: Page, error: RegExp): void
}

export interface Runner {
  fixture: Fixture
  /** The server's database. */
  pool: pg.Pool
  /** The errors of the pages since the last call, whose browsers are closed. */
  settle(): Promise<string[]>
  stop(): Promise<void>
}

// As src/web/session/caller.ts keeps it.
function signedIn(origin: string, as: Person | 'guest') {
  const caller = as === 'guest' ? { kind: 'guest', guestId: randomUUID() } : { kind: 'user', token: as.session, userId: as.userId }
  return { cookies: [], origins: [{ origin, localStorage: [{ name: 'rolocom.caller', value: JSON.stringify(caller) }] }] }
}

const password = 'correct horse battery'
const root = join(import.meta.dirname, '../../..')

/** `outside`: a PostgreSQL server on which a database may be created, in place of the embedded one. */
export async function startFixture(browser: Browser, environment: Record<string, string> = {}, outside?: string): Promise<Runner> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rolocom-web-'))
  // Outlives the server, which stories end.
  const database = await openDatabase(dataDir, outside)
  const pool = new pg.Pool({ connectionString: database.url, max: 1 })
  // A connection that the ending database closes first.
  pool.on('error', () => {})
  // Links are printed in the log, for there is no mail server.
  const settings = { LOG_LEVEL: 'info', ...database.settings, ...environment }
  let server = await startServer(dataDir, undefined, settings).catch(async error => {
    await database.stop()
    throw error
  })
  const port = new URL(server.url).port
  const contexts = new Set<BrowserContext>()
  const errors: string[] = []
  const expected = new WeakMap<Page, RegExp[]>()

  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Record<string, string>
  }

  const watched = async (context: BrowserContext, path: string, prepare?: (page: Page) => Promise<void>): Promise<Page> => {
    const page = await context.newPage()
    const tell = (error: string) => {
      if (!expected.get(page)?.some(pattern => pattern.test(error))) errors.push(error)
    }
    page.on('console', message => {
      if (message.type() === 'error') tell(`console: ${message.text()} ${message.location().url}`)
    })
    page.on('pageerror', error => tell(`error: ${error.message}`))
    await prepare?.(page)
    await page.goto(server.url + path)
    return page
  }

  const fixture: Fixture = {
    server: () => server,
    async restart({ kill = false, roles, environment: changed, meanwhile } = {}) {
      if (kill) await server.kill()
      else await server.stop()
      await meanwhile?.()
      server = await startServer(dataDir, server.key, { ...settings, ...changed, PORT: port, ...(roles && { ROLES: roles }) })
    },
    async mailedLink(email) {
      for (;;) {
        const logged = server
          .output()
          .split('\n')
          .findLast(line => line.includes(`"email":"${email}"`) && line.includes('/magic-link/'))
        if (logged) return (JSON.parse(logged) as { url: string }).url
        await sleep(50)
      }
    },
    async claimAddress() {
      const { stdout } = await promisify(execFile)(process.execPath, ['src/main.ts', 'claim'], {
        cwd: root,
        env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: port, ...database.settings },
      })
      const path = /\/claim\/\S+/.exec(stdout)?.[0]
      if (!path) throw new Error(`no address in: ${stdout}`)
      return path
    },
    async person({ demo = false, gateway = false, role = 'owner' } = {}) {
      const email = `ada-${randomUUID().slice(0, 8)}@example.com`
      const name = 'Ada Lovelace'
      const { token } = await post('/idp/sign-up/email', { email, password, name })
      const issued = await fetch(`${server.url}/idp/token`, { headers: { authorization: `Bearer ${token}` } })
      const jwt = ((await issued.json()) as { token: string }).token
      const { session_token: session = '', user_id: userId = '' } = await post('/api/auth/session', {}, { authorization: `Bearer ${jwt}` })
      if (demo || gateway) {
        await pool.query('delete from memberships where user_id = $1', [userId])
        await pool.query(
          `insert into memberships (organization_id, user_id, role) select id, $1, $2 from organizations where ${demo ? 'is_demo' : 'is_first'}`,
          [userId, role],
        )
      }
      const { rows } = await pool.query<{ organization_id: string }>('select organization_id from memberships where user_id = $1', [userId])
      return { email, password, name, session, userId, orgId: rows[0]?.organization_id ?? '' }
    },
    async ask(person, text, variables) {
      const headers = { authorization: `Bearer ${person.session}`, 'x-org-id': person.orgId }
      const { data, errors } = (await post('/graphql', { query: text, variables }, headers)) as never as {
        data: never
        errors?: { message: string }[]
      }
      if (errors?.[0]) throw new Error(errors[0].message)
      return data
    },
    async open(path, { as, prepare, ...options } = {}) {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        reducedMotion: 'reduce',
        // Answers that a story makes up would not reach a page behind one.
        serviceWorkers: 'block',
        ...(as && { storageState: signedIn(server.url, as) }),
        ...options,
      })
      contexts.add(context)
      return watched(context, path, prepare)
    },
    tab: (page, path) => watched(page.context(), path),
    expects(page, error) {
      expected.set(page, [...(expected.get(page) ?? []), error])
    },
  }

  return {
    fixture,
    pool,
    async settle() {
      await Promise.all([...contexts].map(context => context.close()))
      contexts.clear()
      return errors.splice(0)
    },
    async stop() {
      await server.stop()
      await pool.end()
      await database.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
