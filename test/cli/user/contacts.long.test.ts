// The commands of users that read and write contacts, credits and keys, each in a process of its own.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startApp } from '../../support/app.ts'
import { hasTerminal } from '../../tour/terminal.ts'
import { main, newUser } from './rolocom.ts'

const app = await startApp({ env: { ROLES: 'api,session,worker' } })
const { key } = await app.given.apiKey()
const user = newUser({ ROLOCOM_URL: app.url, ROLOCOM_API_KEY: key })
afterAll(async () => {
  user.leave()
  await app.close()
})
const json = async (...words: string[]) => JSON.parse((await user.run(words)).out)

describe('rolocom contacts', () => {
  test('create, get and list: JSON in a pipe', async () => {
    const created = await json(
      'contacts',
      'create',
      '--email',
      'ada@example.com',
      '--first-name',
      'Ada',
      '--tag',
      'vip',
      '-f',
      'city=London',
    )
    const byId = await json('contacts', 'get', created.id)
    const byAddress = await json('contacts', 'get', 'ada@example.com')
    await json('contacts', 'create', '--email', 'grace@example.com', '--stage', 'customer')
    const customers = await json('contacts', 'list', '--stage', 'customer', '--stage', 'evangelist')
    const cut = await user.run(['contacts', 'list', '--limit', '1'])

    expect(created).toMatchObject({ email: 'ada@example.com', first_name: 'Ada', city: 'London', tags: ['vip'] })
    expect([byId, byAddress]).toEqual([created, created])
    expect(customers.map(({ email }: { email: string }) => email)).toEqual(['grace@example.com'])
    expect([JSON.parse(cut.out).length, cut.err]).toEqual([1, 'Only the first 1 are shown: --limit or --all shows more\n'])
  })

  test('deleted ones are listed by themselves', async () => {
    const { id } = await json('contacts', 'create', '--email', 'gone@example.com')
    await json('api', 'DELETE', `/api/crm/v1/contacts/${id}`)

    expect((await json('contacts', 'list', '--deleted')).map(({ email }: { email: string }) => email)).toEqual(['gone@example.com'])
    await json('api', 'POST', `/api/crm/v1/contacts/${id}/restore`)
    expect(await json('contacts', 'list', '--deleted')).toEqual([])
  })

  test('a dry run writes nothing', async () => {
    const tried = await json('contacts', 'create', '--email', 'tried@example.com', '--dry-run')
    const found = await user.run(['contacts', 'get', 'tried@example.com'])

    expect(tried).toMatchObject({ dry_run: true, status: 201 })
    expect(found).toEqual({ status: 1, out: '', err: 'No contact has the address tried@example.com\n' })
  })

  test('an address in use is said with the id of the request', async () => {
    await user.run(['contacts', 'create', '--email', 'twice@example.com'])
    const { status, out, err } = await user.run(['contacts', 'create', '--email', 'twice@example.com'])

    expect([status, out, err]).toEqual([
      1,
      '',
      expect.stringMatching(/^A contact with this email exists already\nrequest id: [0-9a-f-]{36}\n$/),
    ])
  })

  test('import --watch ends with the counts, and with 2 for a column that there is not', async () => {
    const csv = 'E-Mail,Vorname\nlin@example.com,Lin\nmei@example.com,Mei\nnobody,No\n'
    const imported = await user.run(['contacts', 'import', '-', '--watch', '--map', 'E-Mail=email', '--map', 'Vorname=first_name'], {
      input: csv,
    })
    const wrong = await user.run(['contacts', 'import', '-', '--map', 'Mail=email'], { input: csv })
    const unknown = await user.run(['contacts', 'import', '-', '--map', 'E-Mail=mail'], { input: csv })

    expect([imported.status, imported.err]).toEqual([0, ''])
    expect(JSON.parse(imported.out)).toMatchObject({
      status: 'completed',
      row_count: 3,
      created_count: 3,
      refused_count: 0,
      warning_count: 1,
    })
    expect(await json('contacts', 'get', 'mei@example.com')).toMatchObject({ first_name: 'Mei' })
    expect(wrong).toEqual({ status: 2, out: '', err: 'The file has no column "Mail"; it has E-Mail, Vorname\n' })
    expect([unknown.status, unknown.err]).toEqual([1, expect.stringContaining("Input should be 'email', 'first_name'")])
  })
})

describe('a terminal', () => {
  test.skipIf(!hasTerminal)('shows a table in color, without the control characters of data', async () => {
    await app.rest('POST', '/api/crm/v1/contacts', {
      key,
      body: { email: 'evil@example.com', first_name: 'Evil\u001b[2J\u009b31m', company_name: 'Red\u001b]0;owned\u0007' },
    })
    const terminal = user.open(['contacts', 'list', '-q', 'evil'])
    const status = await terminal.ended

    expect([status, terminal.shown()]).toEqual([0, expect.stringMatching(/^ID +NAME +EMAIL +COMPANY/)])
    expect(terminal.raw()).toContain('\u001b[1mID')
    expect(['\u001b[2J', '\u009b', '\u001b]0'].filter(sequence => terminal.raw().includes(sequence))).toEqual([])
  })

  test.skipIf(!hasTerminal)('NO_COLOR shows it without', async () => {
    const terminal = user.open(['contacts', 'list'], { NO_COLOR: '1' })
    await terminal.ended

    expect(terminal.raw()).toContain('EMAIL')
    expect(terminal.raw()).not.toContain('\u001b')
  })

  test.skipIf(!hasTerminal)('an import has a progress bar', async () => {
    writeFileSync(join(user.home, 'people.csv'), `email\n${Array.from({ length: 2_000 }, (_, at) => `p${at}@example.com\n`).join('')}`)
    const terminal = user.open(['contacts', 'import', 'people.csv', '--watch'])

    expect(await terminal.ended).toBe(0)
    expect(terminal.shown()).toMatch(/━.*2000 rows: 2000 created, 0 updated, 0 skipped, 0 refused.*status +completed/s)
  })
})

describe('a mistake', () => {
  test('no credential and a wrong one end with 4, a missing scope too', async () => {
    const reading = await app.given.apiKey({ scopes: ['contacts:read'] })
    const outcomes = await Promise.all([
      user.run(['contacts', 'list'], { env: { ROLOCOM_API_KEY: '' } }),
      user.run(['contacts', 'list'], { env: { ROLOCOM_API_KEY: 'rcm_wrong' } }),
      user.run(['contacts', 'create', '--email', 'a@example.com'], { env: { ROLOCOM_API_KEY: reading.key } }),
    ])

    expect(outcomes.map(({ status }) => status)).toEqual([4, 4, 4])
    expect(outcomes.map(({ err }) => err)).toEqual([
      `Not signed in to ${app.url}. Run: rolocom login --url ${app.url}, or set ROLOCOM_API_KEY\n`,
      expect.stringMatching(/rolocom login\nrequest id: /),
      expect.stringMatching(/contacts:write.*\nrequest id: /),
    ])
  })

  test('a wrong command line ends with 2, a server that is not there with 1', async () => {
    const outcomes = await Promise.all([
      user.run(['contacts', 'dance']),
      user.run(['contacts', 'list', '--limit', 'many']),
      user.run(['contacts', 'create']),
      user.run(['contacts', 'list', '--url', 'ftp://example.com']),
      user.run(['contacts', 'list', '--colour']),
    ])
    const away = await user.run(['contacts', 'list'], { env: { ROLOCOM_URL: 'http://127.0.0.1:1' } })

    expect(outcomes.map(({ status, err }) => [status, err.trim().split('\n').length])).toEqual(outcomes.map(() => [2, 1]))
    expect([away.status, away.err]).toEqual([1, expect.stringContaining('http://127.0.0.1:1')])
  }, 30_000)

  test('a reader that leaves early ends it quietly', async () => {
    const words = [process.execPath, main, 'api', 'GET', '/openapi.json'].map(word => `'${word}'`).join(' ')
    const { status, out, err } = await user.shell(`${words} | head -c 1; echo " \${PIPESTATUS[0]}"`)

    expect([status, out, err]).toEqual([0, '{ 0\n', ''])
  })
})
