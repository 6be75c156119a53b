// The command line: output, errors and stored files.

import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { query } from '../support/database/database.ts'
import { asJson, givenDatabase, isFirst, keyIn, main, newFolder, production, run, secrets, watched } from './process.ts'

test('the first start on an outside database has a key that works and shows guests the demo; the next has none', async () => {
  const DATABASE_URL = await givenDatabase()
  const dataDir = newFolder()
  const first = run([], { ...secrets, DATABASE_URL, DATA_DIR: dataDir })
  const url = await first.ready()
  const key = keyIn(dataDir)

  const stats = await fetch(`${url}/api/crm/v1/stats`, { headers: { authorization: `Bearer ${key}` } })
  const dashboard = await fetch(`${url}/api/dashboard`, { headers: { 'x-guest-id': 'guest' } })
  first.kill('SIGTERM')
  expect([stats.status, dashboard.status, await first.ended]).toEqual([200, 200, 0])

  const second = run([], { ...secrets, DATABASE_URL, DATA_DIR: newFolder() })
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

  const answer = await fetch(`${url}/api/crm/v1/contacts?token=marked-1`, { headers: { authorization: 'Bearer marked-2' } })
  server.kill('SIGTERM')

  expect([answer.status, await server.ended]).toEqual([401, 0])
  expect(asJson(server.said.out)).toContainEqual(
    expect.objectContaining({ level: 'info', method: 'GET', path: '/api/crm/v1/contacts', status: 401 }),
  )
  const claim = readFileSync(join(dataDir, 'first-start.txt'), 'utf8')
  expect(claim).toMatch(/^https:\/\/crm\.example\/claim\/[\w-]{43}$/m)
  expect(server.said.out + server.said.err + claim).not.toMatch(/marked|rcm_/)
  expect(server.said.out).not.toContain('/claim/')
  expect(await query(DATABASE_URL, 'select is_first, is_demo from organizations')).toEqual([{ is_first: true, is_demo: false }])
  expect(await query(DATABASE_URL, 'select id from users')).toEqual([])
})

test('in production it does not start without a mail server, https and long secrets, and says each', async () => {
  const DATABASE_URL = await givenDatabase()
  const short = {
    SMTP_URL: '',
    PUBLIC_URL: 'http://crm.example',
    IDENTITY_SECRET: 'only-20-bytes-long-1',
    WEBHOOK_SIGNING_SECRET: 'only-20-bytes-long-2',
  }
  const { ended, said } = run([], { ...production, ...short, DATABASE_URL, DATA_DIR: newFolder() })

  expect([
    await ended,
    said.err
      .trim()
      .split('\n')
      .map(line => line.split(':')[0]),
  ]).toEqual([1, ['PUBLIC_URL', 'IDENTITY_SECRET', 'WEBHOOK_SIGNING_SECRET', 'SMTP_URL']])
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
  expect(await Promise.all([...keys, { 'x-guest-id': 'guest' }].map(statusOf))).toEqual([200, 200, 401, 200])
}, 90_000)

test('only served addresses are announced', async () => {
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
  expect(refused).toEqual(refused.map(() => [1, 1, expect.stringContaining('npm run rolocom -- migrate')]))

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

test('a direct address of another database is refused before anything is served or migrated there', async () => {
  const DATABASE_URL = await givenDatabase()
  const DATABASE_DIRECT_URL = await givenDatabase({ empty: true })
  const env = { ...secrets, DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR: newFolder() }
  const refused = [run([], env), run(['migrate'], env), run(['migrate', 'status'], env)]

  expect(await Promise.all(refused.map(({ ended }) => ended))).toEqual([1, 1, 1])
  for (const { said } of refused)
    expect(said.err).toBe('DATABASE_DIRECT_URL: leads to another database than DATABASE_URL; both must lead to the same one\n')
  expect(await query(DATABASE_DIRECT_URL, "select count(*)::int as tables from pg_tables where schemaname = 'public'")).toEqual([
    { tables: 0 },
  ])

  const same = run(['migrate'], { ...env, DATABASE_DIRECT_URL: DATABASE_URL })
  expect([await same.ended, same.said.out]).toEqual([0, 'nothing to apply\n'])
})

const project = join(import.meta.dirname, '../..')

function givenCheckout(...more: string[]): string {
  const folder = newFolder()
  for (const name of ['package.json', 'src', ...more]) cpSync(join(project, name), join(folder, name), { recursive: true })
  return folder
}

test('before npm install it says what to run, on any Node', async () => {
  const folder = givenCheckout()
  const starts = [
    watched('npm', ['start'], folder, {}),
    watched('npm', ['run', 'rolocom', '--', '--help'], folder, {}),
    watched(process.execPath, ['--no-experimental-strip-types', 'src/entry.js'], folder, {}),
  ]

  expect(await Promise.all(starts.map(({ ended }) => ended))).toEqual([1, 1, 1])
  for (const { said } of starts) expect(said.err).toBe('Rolocom is not installed yet. Run: npm install\n')
})

test('an installation that was stopped halfway says what to run', async () => {
  const folder = givenCheckout()
  mkdirSync(join(folder, 'node_modules/vite'), { recursive: true })

  const node = watched(process.execPath, ['src/entry.js'], folder, {})
  expect(await node.ended).toBe(1)
  expect(node.said.err).toMatch(/^Rolocom is not installed completely \(Cannot find package '\S+'\)\. Run: npm install\n$/)

  // As Node 20 and the first releases of 22, where npm has not brought another one.
  const older = watched(process.execPath, ['--no-experimental-strip-types', 'src/entry.js'], folder, {})
  expect(await older.ended).toBe(1)
  expect(older.said.err).toMatch(/^Rolocom needs Node 22\.18 or newer[^\n]+this is Node [\d.]+\. Run: npm install[^\n]*\n$/)
})

test('a .env file counts, and the environment takes precedence', async () => {
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
  expect(outdated.said.out).toContain(
    'pending  20261122183000_search_by_organization (0.1.0): not safe: line 6 drops index contacts_search;',
  )
  expect(outdated.said.out).toContain('pending  20261122185604_user_preferences (0.1.0): safe\n')
  expect(outdated.said.err).toMatch(/^\d+ of \d+ pending migrations cannot be applied while processes of the previous release serve/)
})
