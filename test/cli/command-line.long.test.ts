// The command line: output, errors, stored files and shutdown. Only these tests run main.ts itself.

import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase, query } from '../support/database.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
const secrets = {
  SVC_SERVICES_TOKEN: 'cli-service-token-0123456789',
  HOOKS_TOKEN: 'cli-hook-token-0123456789',
  IDENTITY_SECRET: 'cli-identity-secret-0123456789abcdef',
}

const production = {
  ...secrets,
  NODE_ENV: 'production',
  // Without the pages, for which the web app would have to be built.
  ROLES: 'api,session,gateway,worker',
  PUBLIC_URL: 'https://crm.example',
  SMTP_URL: 'smtp://mail.example:25',
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rolocom-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a command in an empty folder, with nothing in its environment but what is said here. */
const run = (words: string[], env: Record<string, string>) => watched(process.execPath, [main, ...words], newFolder(), env)

function watched(file: string, args: string[], cwd: string, env: Record<string, string>) {
  const child = spawn(file, args, { cwd, env: { PATH: process.env.PATH ?? '', PORT: '0', ...env }, detached: true })
  const said = { out: '', err: '' }
  child.stdout.on('data', chunk => (said.out += chunk))
  child.stderr.on('data', chunk => (said.err += chunk))
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  onTestFinished(() => {
    // Its whole group: what npm has started may have outlived npm.
    try {
      process.kill(-(child.pid as number), 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  })
  return {
    said,
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Resolves with its address once it serves. */
    async ready(): Promise<string> {
      return await vi.waitFor(
        () => /ready at (\S+)/.exec(said.out)?.[1] ?? Promise.reject(new Error(`it does not serve: ${said.err}${said.out}`)),
        { timeout: 20_000 },
      )
    },
  }
}

async function givenDatabase(options?: { empty: boolean }): Promise<string> {
  const database = await createTestDatabase(options)
  onTestFinished(() => database.drop())
  return database.url
}

/** The key of a first start that nobody looked at. */
const keyIn = (dataDir: string) => /rcm_\w{38}/.exec(readFileSync(join(dataDir, 'first-start.txt'), 'utf8'))?.[0]
const isFirst = (text: string) => text.includes('first-start.txt')
const asJson = (text: string) =>
  text
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as Record<string, unknown>)

test('the first start on an outside database has a key that works and shows guests the demo; the next has none', async () => {
  const DATABASE_URL = await givenDatabase()
  const dataDir = newFolder()
  const first = run([], { DATABASE_URL, DATA_DIR: dataDir })
  const url = await first.ready()
  const key = keyIn(dataDir)

  const stats = await fetch(`${url}/api/crm/v1/stats`, { headers: { authorization: `Bearer ${key}` } })
  const dashboard = await fetch(`${url}/api/dashboard`, { headers: { 'x-guest-id': 'visitor' } })
  first.kill('SIGTERM')
  expect([stats.status, dashboard.status, await first.ended]).toEqual([200, 200, 0])

  const second = run([], { DATABASE_URL, DATA_DIR: newFolder() })
  await second.ready()
  expect(isFirst(second.said.out)).toBe(false)
})

test('several first processes at once make one demo organization and one key between them', async () => {
  const DATABASE_URL = await givenDatabase()
  const dataDir = newFolder()
  const processes = [1, 2, 3].map(() => run([], { DATABASE_URL, DATA_DIR: dataDir, ROLES: 'api,session' }))
  await Promise.all(processes.map(process => process.ready()))

  expect(processes.filter(({ said }) => isFirst(said.out))).toHaveLength(1)
  expect(await query(DATABASE_URL, 'select count(*)::int as n from organizations')).toEqual([{ n: 2 }])
})

test('in production it serves, writes its log as JSON lines without secrets, and makes one empty organization to be claimed', async () => {
  const DATABASE_URL = await givenDatabase()
  const dataDir = newFolder()
  const env = { ...production, DATABASE_URL, DATA_DIR: dataDir }
  const server = run([], env)
  const url = await server.ready()

  const answer = await fetch(`${url}/api/crm/v1/contacts?token=canary-1`, { headers: { authorization: 'Bearer canary-2' } })
  server.kill('SIGTERM')

  expect([answer.status, await server.ended]).toEqual([401, 0])
  expect(asJson(server.said.out)).toContainEqual(
    expect.objectContaining({ level: 'info', method: 'GET', path: '/api/crm/v1/contacts', status: 401 }),
  )
  const claim = readFileSync(join(dataDir, 'first-start.txt'), 'utf8')
  expect(claim).toMatch(/^https:\/\/crm\.example\/claim\/[\w-]{43}$/m)
  expect(server.said.out + server.said.err + claim).not.toMatch(/canary|rcm_/)
  expect(server.said.out).not.toContain('/claim/')
  expect(await query(DATABASE_URL, 'select is_first, is_demo from organizations')).toEqual([{ is_first: true, is_demo: false }])
  expect(await query(DATABASE_URL, 'select id from users')).toEqual([])
})

test('in production it does not start without a mail server, https and long secrets, and says each', async () => {
  const DATABASE_URL = await givenDatabase()
  const short = { SMTP_URL: '', PUBLIC_URL: 'http://crm.example', IDENTITY_SECRET: 'only-20-bytes-long-1' }
  const { ended, said } = run([], { ...production, ...short, DATABASE_URL, DATA_DIR: newFolder() })

  expect([
    await ended,
    said.err
      .trim()
      .split('\n')
      .map(line => line.split(':')[0]),
  ]).toEqual([1, ['PUBLIC_URL', 'IDENTITY_SECRET', 'SMTP_URL']])
})

test('in production seed wants --yes, and then prints what works, and makes the demo organization', async () => {
  const DATABASE_URL = await givenDatabase()
  const env = { ...production, DATABASE_URL, DATA_DIR: newFolder() }
  const refused = run(['seed', '--json'], env)
  expect([await refused.ended, refused.said.out]).toEqual([1, ''])
  expect(refused.said.err).toContain('--yes')

  const seeded = run(['seed', '--json', '--yes'], env)
  expect(await seeded.ended).toBe(0)
  const { orgs, service_token } = JSON.parse(seeded.said.out) as { service_token: string; orgs: Record<string, string>[] }
  expect([orgs.length, service_token]).toEqual([2, secrets.SVC_SERVICES_TOKEN])

  const url = await run([], env).ready()
  const statusOf = async (headers: Record<string, string>) => (await fetch(`${url}/api/crm/v1/contacts`, { headers })).status
  const keys = [orgs[0]?.api_key, orgs[1]?.read_only_key, orgs[0]?.revoked_key].map(key => ({ authorization: `Bearer ${key}` }))
  expect(await Promise.all([...keys, { 'x-guest-id': 'visitor' }].map(statusOf))).toEqual([200, 200, 401, 200])
}, 90_000)

test('only what is served is announced', async () => {
  const server = run([], { DATABASE_URL: await givenDatabase(), DATA_DIR: newFolder(), ROLES: 'worker' })
  await server.ready()

  expect(server.said.out).not.toMatch(/graphql|docs/)
})

test('an outside database that is behind is refused, with the command that helps; the command may run twice at once', async () => {
  const DATABASE_URL = await givenDatabase({ empty: true })
  const env = { DATABASE_URL, DATA_DIR: newFolder() }
  const refused = await Promise.all(
    [[], ['seed'], ['tasks'], ['audit', 'credits']].map(async words => {
      const { ended, said } = run(words, env)
      return [await ended, said.err.trim().split('\n').length, said.err]
    }),
  )
  expect(refused).toEqual(refused.map(() => [1, 1, expect.stringContaining('npm run migrate')]))

  const both = [run(['migrate'], env), run(['migrate'], env)]
  expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([0, 0])
  await run([], env).ready()
}, 90_000)

test('what an operator can mend is one sentence, without a trace', async () => {
  const taken = createServer()
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  const port = String((taken.address() as { port: number }).port)
  const DATABASE_URL = await givenDatabase()
  const file = join(newFolder(), 'file')
  writeFileSync(file, '')

  const sentences = await Promise.all(
    [
      run([], { DATABASE_URL, DATA_DIR: newFolder(), PORT: port }),
      run([], { DATABASE_URL, DATA_DIR: newFolder(), HOST: '192.0.2.1' }),
      run([], { DATABASE_URL, DATA_DIR: file }),
      run([], { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', DATA_DIR: newFolder() }),
      run(['tasks', 'retry', 'nonsense'], { DATABASE_URL, DATA_DIR: newFolder() }),
      run(['dance'], {}),
    ].map(async ({ ended, said }) => [await ended, said.err.trim().split('\n').length, said.err]),
  )

  expect(sentences).toEqual(
    ['PORT', 'HOST', 'DATA_DIR', '127.0.0.1:1', 'no dead task', 'no command'].map(words => [1, 1, expect.stringContaining(words)]),
  )
})

test('a PostgreSQL without a connection left is one sentence', async () => {
  const DATABASE_URL = await givenDatabase()
  const role = `limited_${process.pid}`
  await query(DATABASE_URL, `create role ${role} login password 'limited' connection limit 1`)
  await query(DATABASE_URL, `grant pg_read_all_data, pg_write_all_data to ${role}`)
  const url = new URL(DATABASE_URL)
  Object.assign(url, { username: role, password: 'limited' })

  const { ended, said } = run([], { DATABASE_URL: url.href, DATA_DIR: newFolder() })

  expect([await ended, said.err.trim().split('\n').length]).toEqual([1, 1])
  expect(said.err).toContain('max_connections')
  await query(DATABASE_URL, `drop role ${role}`)
})

test('SIGTERM lets a request finish that is under way, closes streams properly, and takes nobody new', async () => {
  const DATABASE_URL = await givenDatabase()
  const dataDir = newFolder()
  const server = run([], { DATABASE_URL, DATA_DIR: dataDir })
  const url = await server.ready()
  const authorization = `Bearer ${keyIn(dataDir)}`
  const stream = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { contactChanged { type } }' }),
  })
  const body = JSON.stringify({ email: 'slow@example.com' })
  const slow = connect(Number(new URL(url).port), '127.0.0.1')
  let received = ''
  slow.on('data', chunk => (received += chunk))
  slow.write(`POST /api/crm/v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n`)
  slow.write(`Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`)
  await sleep(200)

  server.kill('SIGTERM')
  await vi.waitFor(() => expect(fetch(`${url}/healthz`)).rejects.toThrow(), { timeout: 5_000 })
  slow.write(body.slice(5))
  const answered = performance.now()

  expect(await server.ended).toBe(0)
  expect(server.said.out).toContain('stopping')
  // Not the whole grace: a connection that is kept alive is no reason to wait.
  expect(performance.now() - answered).toBeLessThan(5_000)
  expect(received).toContain('201 Created')
  expect(await stream.text()).toContain('event: complete')
})

test('SIGTERM lets what comes on an idle connection right after it be answered, and says that nobody should come again', async () => {
  const server = run([], { DATABASE_URL: await givenDatabase(), DATA_DIR: newFolder() })
  const { port } = new URL(await server.ready())
  const idle = connect(Number(port), '127.0.0.1').on('error', () => {})
  let received = ''
  idle.on('data', chunk => (received += chunk))
  const ask = () => idle.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n')
  ask()
  await vi.waitFor(() => expect(received).toContain('200 OK'))

  server.kill('SIGTERM')
  const asking = setInterval(ask, 10)
  await new Promise(resolve => idle.on('data', () => received.includes(' 503 ') && clearInterval(asking)).on('close', resolve))
  clearInterval(asking)

  expect(await server.ended).toBe(0)
  const last = received.slice(received.lastIndexOf('HTTP/1.1'))
  expect([last.split('\r\n')[0], last.includes('Connection: close')]).toEqual(['HTTP/1.1 503 Service Unavailable', true])
})

test('for DRAIN_SECONDS after SIGTERM everything is served as before, and /readyz says that nothing more should come', async () => {
  const dataDir = newFolder()
  const server = run([], { DATABASE_URL: await givenDatabase(), DATA_DIR: dataDir, DRAIN_SECONDS: '3' })
  const url = await server.ready()
  const headers = { authorization: `Bearer ${keyIn(dataDir)}`, 'content-type': 'application/json' }
  const asked = async (path: string) => (await fetch(url + path, { headers })).status
  const stream = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { ...headers, accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { contactChanged { contact { email } } }' }),
  })

  const signalled = performance.now()
  server.kill('SIGTERM')
  await vi.waitFor(async () => expect(await asked('/readyz')).toBe(503), { timeout: 2_000 })
  const created = await fetch(`${url}/api/crm/v1/contacts`, { method: 'POST', headers, body: '{"email":"late@example.com"}' })

  expect([created.status, created.headers.get('connection'), await asked('/healthz')]).toEqual([201, 'close', 200])
  expect(await stream.text()).toMatch(/late@example\.com.*event: complete/s)
  expect(await server.ended).toBe(0)
  expect(performance.now() - signalled).toBeGreaterThan(2_900)
})

test('a signal to `npm start` reaches the server, which ends with it', async () => {
  const npm = watched('npm', ['start'], join(import.meta.dirname, '../..'), { DATABASE_URL: await givenDatabase(), DATA_DIR: newFolder() })
  const url = await npm.ready()

  npm.kill('SIGTERM')

  await npm.ended
  await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
})

test('a signal that comes twice within two seconds counts once, a later one ends it at once', async () => {
  const server = run([], { DATABASE_URL: await givenDatabase(), DATA_DIR: newFolder(), DRAIN_SECONDS: '60' })
  const { port } = new URL(await server.ready())
  // A request that never ends would keep it for the whole grace.
  const endless = connect(Number(port), '127.0.0.1').on('error', () => {})
  endless.write('POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{')
  await sleep(200)

  server.kill('SIGINT')
  await sleep(200)
  server.kill('SIGINT')
  await sleep(1_900)
  const asked = performance.now()
  server.kill('SIGTERM')

  expect(await server.ended).toBe(130)
  expect(performance.now() - asked).toBeLessThan(1_000)
})

test('before npm install it says what to run', async () => {
  const folder = newFolder()
  cpSync(join(import.meta.dirname, '../../package.json'), join(folder, 'package.json'))
  cpSync(join(import.meta.dirname, '../../src'), join(folder, 'src'), { recursive: true })

  const npm = watched('npm', ['start'], folder, {})
  const node = watched(process.execPath, ['src/main.ts'], folder, {})

  expect([await npm.ended, await node.ended]).toEqual([1, 1])
  expect(npm.said.err).toContain('Rolocom is not installed yet. Run: npm install')
  expect(node.said.err).toMatch(/^Rolocom is not installed completely \(Cannot find package '\S+'\)\. Run: npm install\n$/)
})

test('a .env file counts, and what is set already wins', async () => {
  const cwd = newFolder()
  writeFileSync(join(cwd, '.env'), 'LOG_LEVEL=loud\nROLES=nothing\n')
  const child = spawn(process.execPath, [main], { cwd, env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'warn' } })
  let complaint = ''
  child.stderr.on('data', chunk => (complaint += chunk))

  expect(await new Promise(resolve => child.on('close', resolve))).toBe(1)
  expect(complaint).toMatch(/^ROLES[^\n]*\n$/)
})

test('migrate status ends with 3 where a pending migration stops the release that serves, and with 0 where nothing is pending', async () => {
  const current = run(['migrate', 'status', '--json'], { ...secrets, DATABASE_URL: await givenDatabase() })
  expect(await current.ended).toBe(0)
  expect(JSON.parse(current.said.out)).toMatchObject({ is_safe: true, pending: [], failed: [] })

  const database = await givenDatabase({ empty: true })
  await query(
    database,
    'create table _prisma_migrations (migration_name text, checksum text, finished_at timestamptz, logs text, rolled_back_at timestamptz, started_at timestamptz)',
  )
  await query(database, `insert into _prisma_migrations values ('20261120000000_spine', '', now())`)
  const outdated = run(['migrate', 'status'], { ...secrets, DATABASE_URL: database })

  expect(await outdated.ended).toBe(3)
  expect(outdated.said.out).toContain('pending  20261122183000_search_by_organization: not safe: line 6 drops index contacts_search;')
  expect(outdated.said.out).toContain('pending  20261122185604_user_preferences: safe\n')
  expect(outdated.said.err).toMatch(/^\d+ of \d+ pending migrations cannot be applied while processes of the previous release serve/)
})
