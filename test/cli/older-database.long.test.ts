// Starts on a database that an earlier release or other secrets made.

import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { query } from '../support/database/database.ts'
import { givenDatabase, newFolder, production, run, secrets } from './process.ts'

const inProduction = { ...production, HOOKS_ENABLED: '1' }

/** Organizations of a release in which none was marked as the first one. */
async function givenOrganizations(url: string, ...names: string[]): Promise<string[]> {
  const ids = names.map(() => randomUUID())
  for (const [index, id] of ids.entries())
    await query(url, "insert into organizations (id, name, created_at) values ($1, $2, now() + $3 * interval '1 s')", [
      id,
      names[index],
      index,
    ])
  return ids
}
const givenEvents = (url: string, orgId: string) =>
  query(url, "insert into gateway_sessions (id, org_id, key) values ($1, $2, 'main')", [randomUUID(), orgId])
const organizations = (url: string) => query(url, 'select id, is_first from organizations order by created_at')

async function startedAndStopped(env: Record<string, string>): Promise<void> {
  const server = run([], { DATA_DIR: newFolder(), ...env })
  await server.ready()
  server.kill('SIGTERM')
  expect(await server.ended).toBe(0)
}

describe('the gateway after an upgrade', () => {
  test('stays with the organization that has its events, and no further organization is made', async () => {
    const DATABASE_URL = await givenDatabase()
    const [oldest = '', used = ''] = await givenOrganizations(DATABASE_URL, 'Oldest', 'Used')
    await givenEvents(DATABASE_URL, used)

    await startedAndStopped({ ...inProduction, DATABASE_URL })

    expect(await organizations(DATABASE_URL)).toEqual([
      { id: oldest, is_first: false },
      { id: used, is_first: true },
    ])
  })

  test('belongs to the only organization', async () => {
    const DATABASE_URL = await givenDatabase()
    const [only] = await givenOrganizations(DATABASE_URL, 'Only')

    await startedAndStopped({ ...inProduction, DATABASE_URL })

    expect(await organizations(DATABASE_URL)).toEqual([{ id: only, is_first: true }])
  })

  test('is named by a setting where several could have it: until then a start refuses', async () => {
    const DATABASE_URL = await givenDatabase()
    const [one = '', two = ''] = await givenOrganizations(DATABASE_URL, 'One', 'Two')

    const refused = run([], { ...inProduction, DATABASE_URL, DATA_DIR: newFolder() })
    expect([await refused.ended, refused.said.err.trim()]).toEqual([
      1,
      `gateway.organizationId in GATEWAY_CONFIG must say which organization the gateway belongs to, because this database does not: ${one} ("One"), ${two} ("Two")`,
    ])

    const GATEWAY_CONFIG = join(newFolder(), 'gateway.json5')
    writeFileSync(GATEWAY_CONFIG, JSON.stringify({ gateway: { organizationId: two } }))
    await startedAndStopped({ ...inProduction, DATABASE_URL, GATEWAY_CONFIG })
    expect(await organizations(DATABASE_URL)).toEqual([
      { id: one, is_first: false },
      { id: two, is_first: false },
    ])
  })
})

test('a start refuses a database that misses migrations, and names the first three', async () => {
  const DATABASE_URL = await givenDatabase()
  await query(DATABASE_URL, "delete from _prisma_migrations where migration_name > '20261121'")

  const refused = run([], { ...inProduction, DATABASE_URL, DATA_DIR: newFolder() })

  expect(await refused.ended).toBe(1)
  expect(refused.said.err).toMatch(/misses \d{2,} migration\(s\): (\w+, ){3}\.{3}\. Run: npm run rolocom -- migrate/)
})

describe('secrets that do not belong to the database', () => {
  const account = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
  const post = async (url: string, path: string) => {
    const headers = { 'content-type': 'application/json', origin: url }
    return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(account) })).status
  }
  const served = async (env: Record<string, string>, work: (url: string) => Promise<void>) => {
    const server = run([], { DATA_DIR: newFolder(), ROLES: 'api,session', ...env })
    await work(await server.ready())
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  }

  test('a start refuses them in one sentence, until they are restored or the loss is accepted', async () => {
    const DATABASE_URL = await givenDatabase()
    const own = { ...secrets, DATABASE_URL, SIGN_UP: 'open' }
    const other = { ...own, IDENTITY_SECRET: 'another-identity-secret-0123456789' }
    await served(own, async url => expect(await post(url, '/idp/sign-up/email')).toBe(200))

    const refused = run([], { ...other, DATA_DIR: newFolder() })
    expect([await refused.ended, refused.said.err.trim()]).toEqual([
      1,
      'IDENTITY_SECRET does not belong to this database, so nobody could sign in: restore secrets.json in DATA_DIR, or the former IDENTITY_SECRET; if it is lost, accept that by "rolocom secrets accept-loss" (npm run rolocom -- secrets accept-loss)',
    ])
    await served(own, async url => expect(await post(url, '/idp/sign-in/email')).toBe(200))

    const checked = run(['secrets'], { ...other, DATA_DIR: newFolder() })
    expect(await checked.ended).toBe(1)
    const accepted = run(['secrets', 'accept-loss'], { ...other, DATA_DIR: newFolder() })
    expect(await accepted.ended).toBe(0)
    await served(other, async url => expect(await post(url, '/idp/sign-in/email')).toBe(200))
    const checkedAgain = run(['secrets'], { ...other, DATA_DIR: newFolder() })
    expect([await checkedAgain.ended, checkedAgain.said.out]).toEqual([0, 'IDENTITY_SECRET belongs to this database\n'])
  })
})

test('a changed secret is refused where nobody has ever signed in, too: signing secrets would have changed', async () => {
  const DATABASE_URL = await givenDatabase()
  const own = { ...secrets, DATABASE_URL, ROLES: 'api,worker' }
  const servers = [1, 2].map(() => run([], { ...own, DATA_DIR: newFolder() }))
  await Promise.all(servers.map(server => server.ready()))
  for (const server of servers) server.kill('SIGTERM')
  expect(await Promise.all(servers.map(({ ended }) => ended))).toEqual([0, 0])
  expect(await query(DATABASE_URL, 'select count(*)::int as keys from idp_jwks')).toEqual([{ keys: 1 }])

  const refused = run([], { ...own, IDENTITY_SECRET: 'another-identity-secret-0123456789', DATA_DIR: newFolder() })
  expect(await refused.ended).toBe(1)
  expect(refused.said.err).toMatch(/^IDENTITY_SECRET does not belong to this database[^\n]+\n$/)

  // The key is one that the library signs with.
  const server = run([], { ...own, ROLES: 'api,session', SIGN_UP: 'open', DATA_DIR: newFolder() })
  const url = await server.ready()
  const account = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
  const headers = { 'content-type': 'application/json', origin: url }
  const signedUp = await fetch(`${url}/idp/sign-up/email`, { method: 'POST', headers, body: JSON.stringify(account) })
  const cookie = signedUp.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ')
  const token = await fetch(`${url}/idp/token`, { headers: { cookie } })
  const session = await fetch(`${url}/api/auth/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${((await token.json()) as { token: string }).token}` },
  })
  expect([signedUp.status, token.status, session.status]).toEqual([200, 200, 201])
  expect(await query(DATABASE_URL, 'select count(*)::int as keys from idp_jwks')).toEqual([{ keys: 1 }])
})

test('a PostgreSQL that takes no writes is one sentence, and ends the process', async () => {
  const DATABASE_URL = await givenDatabase()
  const env = { ...inProduction, DATABASE_URL, DATA_DIR: newFolder() }
  await startedAndStopped(env)
  // As a primary whose disk is nearly full is set by a provider, or a standby behind an address of its own.
  await query(DATABASE_URL, `alter database ${new URL(DATABASE_URL).pathname.slice(1)} set default_transaction_read_only = on`)

  const sentences = (text: string) => text.split('\n').filter(line => line && !line.startsWith('{'))
  const start = run([], env)
  expect(await start.ended).toBe(1)
  expect(sentences(start.said.err)).toEqual([
    expect.stringMatching(/^The database takes no writes \(cannot execute .* in a read-only transaction\): DATABASE_URL must lead to /),
  ])
  const claim = run(['claim'], env)
  expect(await claim.ended).toBe(1)
  expect(sentences(claim.said.err)).toEqual([expect.stringMatching(/^The database /)])
})

test('a database user without rights gets a sentence, not a stack trace', async () => {
  const url = new URL(await givenDatabase())
  const name = `limited_${randomUUID().replaceAll('-', '')}`
  await query(url.href, `create role ${name} login password 'limited'`)
  Object.assign(url, { username: name, password: 'limited' })

  const server = run([], { ...inProduction, DATABASE_URL: url.href, DATA_DIR: newFolder() })

  expect([await server.ended, server.said.err]).toEqual([
    1,
    expect.stringMatching(/^permission denied for .*: the user of DATABASE_URL must own the database and all in it\. .*\n$/),
  ])
})
