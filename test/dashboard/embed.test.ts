// Widgets on pages elsewhere: keys that read one widget, and the origins that may frame it.

import { describe, expect, test } from 'vitest'
import { frameAncestorsOf } from '../../src/dashboard/widgets/embed.ts'
import { handshake, jwtOf, newEmail, signInByLink, signUp } from '../identity/provider.ts'
import { type Json, openApp } from '../support/app.ts'
import { query } from '../support/database/database.ts'

const app = await openApp()

async function asked(text: string, credential: Json = {}): Promise<Json> {
  const { body } = await app.graphql(text, {}, credential)
  return body.errors ? { errors: body.errors.map(({ extensions }: Json) => extensions), ...body.data } : body.data
}

/** A user with a contact, and a key of the widget of recent contacts. */
async function embedded({ orgId, role = 'member' }: { orgId?: string; role?: 'member' | 'owner' } = {}) {
  const organization = orgId ?? (await app.given.organization()).orgId
  const { session, userId } = await app.given.member({ orgId: organization, role })
  const { key } = await app.given.apiKey({ orgId: organization })
  await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'ada@example.com' } })
  const { dashboardWidgets } = await asked('{ dashboardWidgets { id kind } }', { session })
  const { id } = dashboardWidgets.find(({ kind }: Json) => kind === 'RECENT_CONTACTS')
  const { createWidgetKey: made } = await asked(
    `mutation { createWidgetKey(input: { widgetId: "${id}", label: " Intranet " }) { key widgetKey { id label last4 widgetId lastUsedAt } } }`,
    { session },
  )
  return { orgId: organization, session, userId, id, others: dashboardWidgets, key: made.key, widgetKey: made.widgetKey }
}

const reading = (id: string, key: string, selection = 'kind data { ... on DashboardWidgetItems { items { title } } }') =>
  asked(`{ embeddedWidget(id: "${id}", key: "${key}") { ${selection} } }`)
const read = { embeddedWidget: { kind: 'RECENT_CONTACTS', data: { items: [{ title: 'ada@example.com' }] } } }
const refused = { errors: [{ code: 'NOT_FOUND' }], embeddedWidget: null }

describe('a key of a widget', () => {
  test('reads this widget without a credential, and nothing else', async () => {
    const { session, id, others, key, widgetKey } = await embedded()

    expect(key).toMatch(/^rcw_[0-9A-Za-z]{38}$/)
    expect(widgetKey).toEqual({ id: widgetKey.id, label: 'Intranet', last4: key.slice(-4), widgetId: id, lastUsedAt: null })
    expect(await reading(id, key)).toEqual(read)
    for (const other of others) if (other.id !== id) expect(await reading(other.id, key)).toMatchObject(refused)
    for (const credential of [{ key }, { session: key }]) {
      expect(await asked(`{ dashboardWidget(id: "${id}") { id } }`, credential)).toMatchObject({ errors: [{ code: 'UNAUTHENTICATED' }] })
      expect((await app.rest('GET', '/api/crm/v1/contacts', credential)).status).toBe(401)
    }
    const { widgetKeys } = await asked('{ widgetKeys { id lastUsedAt revokedAt } }', { session })
    expect(widgetKeys).toEqual([{ id: widgetKey.id, lastUsedAt: expect.any(String), revokedAt: null }])
  })

  test('is listed while it works; of revoked ones the newest 200 are', async () => {
    const { orgId, session, userId, id, widgetKey } = await embedded()
    await query(
      app.database.url,
      `insert into widget_keys (id, widget_id, org_id, user_id, hash, last4, label, created_at, revoked_at)
       select gen_random_uuid(), $1, $2, $3, sha256(($4 || i)::bytea), 'wxyz', 'Revoked ' || i, now() + interval '1 second' * i, now()
       from generate_series(1, 230) i`,
      [id, orgId, userId, widgetKey.id],
    )

    const { widgetKeys } = await asked('{ widgetKeys { id label } }', { session })

    expect(widgetKeys).toHaveLength(201)
    expect(widgetKeys.at(0).label).toBe('Revoked 230')
    expect(widgetKeys.at(-2).label).toBe('Revoked 31')
    expect(widgetKeys.at(-1).id).toBe(widgetKey.id)
  })

  test('is stored as a hash, and shown once', async () => {
    const { key } = await embedded()
    const rows = await app.services.database.prisma.widgetKey.findMany()

    expect(JSON.stringify(rows)).not.toContain(key)
    expect(app.log.join('\n')).not.toContain(key)
  })

  test('is refused after it was revoked, while another goes on', async () => {
    const { session, id, key, widgetKey } = await embedded()
    const { createWidgetKey } = await asked(`mutation { createWidgetKey(input: { widgetId: "${id}", label: "Wiki" }) { key } }`, {
      session,
    })

    const { revokeWidgetKey } = await asked(`mutation { revokeWidgetKey(input: { id: "${widgetKey.id}" }) { revokedAt } }`, { session })

    expect(revokeWidgetKey.revokedAt).toEqual(expect.any(String))
    expect(await reading(id, key)).toMatchObject(refused)
    expect(await reading(id, createWidgetKey.key)).toEqual(read)
  })

  test('ends when another member begins to pay, who makes own ones', async () => {
    const { orgId, id, key } = await embedded()
    const payer = await embedded({ orgId, role: 'owner' })

    await asked('mutation { payForOrganization { id } }', { session: payer.session, headers: { 'x-org-id': orgId } })

    expect(await reading(id, key)).toMatchObject(refused)
    expect(await reading(payer.id, payer.key)).toMatchObject({ embeddedWidget: { kind: 'RECENT_CONTACTS' } })
  })

  test('ends with its maker’s membership for good', async () => {
    const { orgId, userId, id, key } = await embedded()
    const { session: owner } = await app.given.member({ orgId, role: 'owner' })

    await asked(`mutation { removeMember(input: { userId: "${userId}" }) { role } }`, { session: owner })

    expect(await reading(id, key)).toMatchObject(refused)
    await app.services.database.prisma.membership.create({ data: { userId, organizationId: orgId, role: 'owner' } })
    expect(await reading(id, key)).toMatchObject(refused)
  })

  test('ends when somebody else turns out to own the address of its maker', async () => {
    const email = newEmail()
    const jwt = await jwtOf(app, await signUp(app, email))
    const { session_token: session } = (await handshake(app, jwt)).body
    const { dashboardWidgets } = await asked('{ dashboardWidgets { id } }', { session })
    const { createWidgetKey } = await asked(
      `mutation { createWidgetKey(input: { widgetId: "${dashboardWidgets[0].id}", label: "x" }) { key } }`,
      { session },
    )
    expect(await reading(dashboardWidgets[0].id, createWidgetKey.key, 'kind')).toMatchObject({
      embeddedWidget: { kind: expect.any(String) },
    })

    await signInByLink(app, email)

    expect(await reading(dashboardWidgets[0].id, createWidgetKey.key)).toMatchObject(refused)
  })

  test('ends with its widget', async () => {
    const { session, id, key } = await embedded()

    await asked(`mutation { removeDashboardWidget(input: { id: "${id}" }) { id } }`, { session })

    expect(await reading(id, key)).toMatchObject(refused)
  })

  test('is made for own widgets by those who may make API keys, and revoked by its maker alone', async () => {
    const { orgId, id, widgetKey, key } = await embedded()
    const other = await app.given.member({ orgId, role: 'owner' })
    const viewer = await app.given.member({ orgId, role: 'viewer' })
    const make = (session: string) => asked(`mutation { createWidgetKey(input: { widgetId: "${id}", label: "x" }) { key } }`, { session })
    const revoke = (session: string) => asked(`mutation { revokeWidgetKey(input: { id: "${widgetKey.id}" }) { id } }`, { session })

    expect(await make(other.session)).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] })
    expect(await make(viewer.session)).toMatchObject({ errors: [{ code: 'FORBIDDEN' }] })
    expect(await revoke(other.session)).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] })
    expect(await asked('{ widgetKeys { id } }', { session: other.session })).toEqual({ widgetKeys: [] })
    expect(await reading(id, key)).toEqual(read)
  })

  test.each(['', 'rcw_', 'rcm_00000000000000000000000000000000001vb8vb', 'x'.repeat(2000)])('%s is none', async key => {
    const { id } = await embedded()

    expect(await reading(id, key)).toMatchObject(refused)
    expect(await reading('no-id', key)).toMatchObject(refused)
  })
})

describe('embedOrigins', () => {
  const set = (origins: readonly string[], session: string) =>
    app.graphql(
      'mutation ($origins: [String!]!) { setEmbedOrigins(input: { origins: $origins }) { embedOrigins } }',
      { origins },
      { session },
    )

  test('are the frame-ancestors of the pages of the organization’s widgets', async () => {
    const { orgId, id } = await embedded()
    const { session } = await app.given.member({ orgId, role: 'admin' })
    expect(await frameAncestorsOf(app.services, id)).toBe("frame-ancestors 'none'")

    const { body } = await set(
      ['https://wiki.example.com/', 'https://Intranet.example.com:8443', 'http://localhost:3000', 'https://wiki.example.com'],
      session,
    )

    const origins = ['http://localhost:3000', 'https://intranet.example.com:8443', 'https://wiki.example.com']
    expect(body.data).toEqual({ setEmbedOrigins: { embedOrigins: origins } })
    expect(await frameAncestorsOf(app.services, id)).toBe(`frame-ancestors ${origins.join(' ')}`)
    expect(await frameAncestorsOf(app.services, orgId)).toBe("frame-ancestors 'none'")
    expect(await frameAncestorsOf(app.services, '../x')).toBe("frame-ancestors 'none'")
    await set([], session)
    expect(await frameAncestorsOf(app.services, id)).toBe("frame-ancestors 'none'")
  })

  test('are refused unless they are origins that a header can carry', async () => {
    const { session } = await app.given.session()
    const wrong = [
      ...[
        'http://example.com',
        'https://example.com/path',
        'https://*.example.com',
        'https://a.example; script-src *',
        '*',
        "'self'",
        'null',
      ],
      ...['https://user@example.com', 'https://example.com?x', 'javascript:alert(1)', `https://${'a'.repeat(200)}.example`, ''],
    ]

    const { body } = await set(wrong, session)

    expect(body.errors[0].extensions.problems.map(({ path }: Json) => path)).toEqual(wrong.map((_, index) => ['origins', index]))
    expect(
      (
        await set(
          Array.from({ length: 21 }, (_, index) => `https://a${index}.example`),
          session,
        )
      ).body.errors[0].extensions,
    ).toMatchObject({
      code: 'INVALID',
      problems: [{ type: 'too_long' }],
    })
    expect(await asked('{ organization { embedOrigins } }', { session })).toEqual({ organization: { embedOrigins: [] } })
  })

  test('are seen by members, not by API keys', async () => {
    const { key } = await app.given.apiKey()

    expect(await asked('{ organization { embedOrigins } }', { key })).toEqual({ organization: { embedOrigins: null } })
  })
})
