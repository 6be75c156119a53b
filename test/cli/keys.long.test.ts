// Replacing lost credentials: npm run rolocom -- keys --database, npm run rolocom -- claim, and the output of the first start.

import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { firstOrganization } from '../../src/identity/organizations/first.ts'
import { type Json, startApp } from '../support/app.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
const app = await startApp({ env: { SIGN_UP: 'closed' } })
const dataDir = mkdtempSync(join(tmpdir(), 'rolocom-keys-'))
afterAll(async () => {
  rmSync(dataDir, { recursive: true, force: true })
  await app.close()
})

async function run(...words: string[]): Promise<{ status: number | null; out: string; err: string }> {
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: app.database.url, DATA_DIR: dataDir, LOG_LEVEL: 'warn' }
  const child = spawn(process.execPath, [main, ...words], { cwd: dataDir, env })
  const said = { out: '', err: '' }
  child.stdout.on('data', chunk => (said.out += chunk))
  child.stderr.on('data', chunk => (said.err += chunk))
  const status = await new Promise<number | null>(resolve => child.on('close', resolve))
  return { status, ...said }
}
const statusOf = async (key: string) => (await app.rest('GET', '/api/crm/v1/contacts', { key })).status

describe('npm run rolocom -- keys --database', () => {
  test('lists, makes and revokes keys; a running server refuses the very next request', async () => {
    const { orgId } = await app.given.organization('Acme')
    const made = await run('keys', 'create', '--label', 'CI', '--scopes', 'contacts:read', '--org', orgId)
    const key = made.out.trim()
    expect([made.status, key]).toEqual([0, expect.stringMatching(/^rcm_\w{38}$/)])
    expect([
      await statusOf(key),
      (await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'a@example.com' } })).status,
    ]).toEqual([200, 403])

    const listed = await run('keys', 'list', '--org', orgId, '--json')
    expect(JSON.parse(listed.out)).toEqual([
      {
        id: expect.any(String),
        label: 'CI',
        start: key.slice(0, 8),
        last4: key.slice(-4),
        scopes: ['contacts:read'],
        organizations: [{ id: orgId, name: 'Acme' }],
        created_at: expect.any(String),
        expires_at: null,
        last_used_at: expect.any(String),
        revoked_at: null,
      },
    ])
    const revoked = await run('keys', 'revoke', key.slice(0, 8))
    expect([revoked.status, await statusOf(key)]).toEqual([0, 401])
  }, 90_000)

  test('shows people a table, without any key', async () => {
    const { key } = await app.given.apiKey()
    await statusOf(key)
    const table = await run('keys')

    expect(table.out).toMatch(new RegExp(`${key.slice(0, 8)}\\.\\.\\.${key.slice(-4)} +Test key +\\* +Test organization +used .+ +valid`))
    expect(table.out).not.toContain(key)
  })

  test('describes the mistake in a sentence, with status 1', async () => {
    const outcomes = await Promise.all(
      [
        ['keys', 'revoke', 'rcm_none'],
        ['keys', 'create', '--scopes', 'everything'],
        ['keys', 'create', '--org', '01a1fb24-cc37-73f0-a612-214b2776a9d9'],
        ['keys', 'list', '--org', 'acme'],
        ['keys', 'dance'],
      ].map(words => run(...words)),
    )

    expect(outcomes.map(({ status }) => status)).toEqual([1, 1, 1, 1, 1])
    expect(outcomes.map(({ err }) => err.split('\n')[0])).toEqual([
      'No API key rcm_none',
      expect.stringContaining('contacts:read'),
      'No organization 01a1fb24-cc37-73f0-a612-214b2776a9d9',
      expect.stringContaining('--org'),
      expect.stringContaining('npm run rolocom -- keys --database'),
    ])
  }, 90_000)

  test('--help tells its own actions', async () => {
    const { status, out } = await run('keys', '--help')

    expect([status, out.includes('revoke <id'), out.includes('ENRICHMENT_')]).toEqual([0, true, false])
  })
})

describe('npm run rolocom -- claim', () => {
  test('prints an address that makes an owner, and replaces the one before', async () => {
    const { orgId } = await app.given.organization()
    const [before, after] = [await run('claim', '--org', orgId, '--json'), await run('claim', '--org', orgId, '--json')]
    const tokens = [before, after].map(({ out }) => (JSON.parse(out) as Json).token)

    const answers = []
    for (const token of tokens)
      answers.push(
        await app.rest('POST', `/claim/${token}`, {
          body: { action: 'sign_up', email: 'op@example.com', password: 'correct horse battery' },
        }),
      )

    expect(answers.map(({ status }) => status)).toEqual([404, 201])
    expect(answers[1]?.body.organization).toEqual({ id: orgId, name: 'Test organization', role: 'owner' })
  })

  test('names the running server, whatever its port, and says what it assumes when none runs', async () => {
    const { orgId } = await app.given.organization()
    const { IDENTITY_SECRET } = app.services.config
    const env = { PATH: process.env.PATH ?? '', DATABASE_URL: app.database.url, DATA_DIR: dataDir, PORT: '0', IDENTITY_SECRET }
    const server = spawn(process.execPath, [main], { cwd: dataDir, env })
    let out = ''
    server.stdout.on('data', chunk => (out += chunk))
    await expect.poll(() => out, { timeout: 60_000 }).toContain('ready at')
    const url = /ready at (\S+)/.exec(out)?.[1]

    const beside = await run('claim', '--org', orgId)
    const ended = new Promise(resolve => server.on('close', resolve))
    server.kill('SIGTERM')
    await ended
    const alone = await run('claim', '--org', orgId)

    expect([beside.out, beside.err]).toEqual([expect.stringContaining(`${url}/claim/`), expect.not.stringContaining('assuming')])
    expect([alone.out, alone.err]).toEqual([
      expect.stringMatching(/^http:\/\/\S+\/claim\/\S+\n$/),
      expect.stringContaining('No running server is found; assuming http://'),
    ])
  }, 120_000)
})

test('a first start that nobody looks at writes key and address into a file of mode 0600, and prints neither', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rolocom-first-'))
  const other = await startApp()
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: other.database.url, DATA_DIR: folder, PORT: '0' }
  const server = spawn(process.execPath, [main], { cwd: folder, env })
  try {
    let out = ''
    server.stdout.on('data', chunk => (out += chunk))
    await expect.poll(() => out, { timeout: 20_000 }).toContain('ready at')
    const url = /ready at (\S+)/.exec(out)?.[1]
    const path = join(folder, 'first-start.txt')
    await expect.poll(() => out, { timeout: 5_000 }).toContain(path)
    const text = readFileSync(path, 'utf8')

    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(out).not.toMatch(/rcm_|\/claim\/\w/)
    expect(out).toContain('npm run rolocom -- keys --database list | create | revoke')
    const key = /rcm_\w{38}/.exec(text)?.[0]
    expect((await fetch(`${url}/api/crm/v1/contacts`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200)
    const claimed = await fetch(new URL(/\/claim\/\S+/.exec(text)?.[0] ?? '', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'sign_up', email: 'first@example.com', password: 'correct horse battery', name: 'First' }),
    })
    const { organization } = (await claimed.json()) as Json
    expect([claimed.status, organization]).toEqual([
      201,
      { id: await firstOrganization(other.services), name: 'My organization', role: 'owner' },
    ])
  } finally {
    server.kill('SIGTERM')
    await new Promise(resolve => server.on('close', resolve))
    await other.close()
    expect(readdirSync(folder)).toEqual(['first-start.txt', 'secrets.json'])
    rmSync(folder, { recursive: true, force: true })
  }
})
