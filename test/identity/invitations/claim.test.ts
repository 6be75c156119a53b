// The one-use addresses of invitations: used from the page, with JSON and with a session.

import { describe, expect, test } from 'vitest'
import { type Json, openApp, startApp, type TestApp } from '../../support/app.ts'
import { query } from '../../support/database/database.ts'

const app = await openApp({ env: { SIGN_UP: 'closed' } })

const password = 'correct horse battery'
const claim = (token: string, body: Json, headers: Record<string, string> = {}) => app.rest('POST', `/claim/${token}`, { body, headers })
const person = (email: string) => ({ action: 'sign_up', email, password, name: 'Ada' })
const form = (fields: Record<string, string>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html,*/*;q=0.8' },
  body: new URLSearchParams(fields),
})
const owners = (orgId: string) =>
  query<{ n: number }>(app.database.url, `select count(*)::int as n from memberships where organization_id = $1 and role = 'owner'`, [
    orgId,
  ])

describe('POST /claim/<token>', () => {
  test('201: a new user owns the organization, has no other, and reads its contacts', async () => {
    const { orgId, key } = await app.given.apiKey()
    await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'met@example.com' } })

    const { status, headers, body } = await claim(await app.given.claim(orgId), person('new@example.com'))

    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
    const { session_token: session, user_id } = body
    expect(body).toEqual({
      organization: { id: orgId, name: 'Test organization', role: 'owner' },
      session_token: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: expect.any(String),
      expires_at: expect.any(String),
    })
    const me = await app.graphql('{ me { userId email organizations { id role } } }', undefined, { session })
    expect(me.body.data.me).toEqual({ userId: user_id, email: 'new@example.com', organizations: [{ id: orgId, role: 'OWNER' }] })
    const contacts = await app.rest('GET', '/api/crm/v1/contacts', { session })
    expect(contacts.body.data.map(({ email }: Json) => email)).toEqual(['met@example.com'])
  })

  test('an existing user signs in; a wrong password does not use the token', async () => {
    const [first, second] = [await app.given.organization(), await app.given.organization()]
    await claim(await app.given.claim(first.orgId), person('known@example.com'))
    const token = await app.given.claim(second.orgId)

    const again = await claim(token, person('known@example.com'))
    const wrong = await claim(token, { action: 'sign_in', email: 'known@example.com', password: 'wrong horse battery' })
    const right = await claim(token, { action: 'sign_in', email: 'known@example.com', password })

    expect([again.status, again.body.code, wrong.status, right.status]).toEqual([409, 'already_exists', 401, 201])
    expect(right.body.organization.id).toBe(second.orgId)
  })

  test('of 50 concurrent requests one becomes the owner', async () => {
    const { orgId } = await app.given.organization()
    const token = await app.given.claim(orgId)
    const sessions = await Promise.all(Array.from({ length: 50 }, () => app.given.session()))

    const answers = await Promise.all(
      sessions.map(({ session }, n) =>
        n % 2
          ? app.rest('POST', `/claim/${token}`, { session })
          : app.graphql('mutation ($token: String!) { claimOrganization(input: { token: $token }) { id role } }', { token }, { session }),
      ),
    )

    const won = answers.filter(({ body }) => body.organization ?? body.data?.claimOrganization)
    expect(won).toHaveLength(1)
    // The user who was given it, and the user whose request succeeded.
    expect(await owners(orgId)).toEqual([{ n: 2 }])
  })

  test('of concurrent sign-ups those that fail leave no account behind', async () => {
    const token = await app.given.claim((await app.given.organization()).orgId)
    const emails = Array.from({ length: 6 }, (_, n) => `race-${n}@example.com`)

    const answers = await Promise.all(emails.map(email => claim(token, person(email))))

    // 403 when the token is checked before the account is created, 404 after that.
    const accepted = answers.filter(({ status }) => status !== 403 && status !== 404)
    expect(accepted.map(({ status }) => status)).toEqual([201])
    const winner = emails[answers.findIndex(({ status }) => status === 201)]
    expect(await query(app.database.url, `select email from idp_users where email like 'race-%'`)).toEqual([{ email: winner }])
    const again = await claim(
      await app.given.claim((await app.given.organization()).orgId),
      person(emails.find(email => email !== winner) ?? ''),
    )
    expect(again.status).toBe(201)
  })

  test("the provider's own sign-up does not accept the token", async () => {
    const token = await app.given.claim((await app.given.organization()).orgId)
    const { status } = await app.rest('POST', '/idp/sign-up/email', {
      body: { email: 'beside@example.com', password, name: 'Ada' },
      headers: { origin: app.url, 'x-invitation': token },
    })

    expect(status).toBe(403)
    expect(await query(app.database.url, `select 1 from idp_users where email = 'beside@example.com'`)).toEqual([])
  })

  test('404: a used, replaced, expired or unknown token', async () => {
    const { orgId } = await app.given.organization()
    const replaced = await app.given.claim(orgId)
    const used = await app.given.claim(orgId)
    await claim(used, person('once@example.com'))
    const expired = await app.given.claim(orgId)
    app.setNow(new Date(Date.now() + 7 * 86_400_000))

    const statuses: number[] = []
    for (const token of [replaced, used, expired, 'x'.repeat(43), 'short'])
      statuses.push((await claim(token, person('late@example.com'))).status, (await app.rest('GET', `/claim/${token}`)).status)
    app.setNow(null)

    expect(statuses).toEqual(Array(10).fill(404))
    expect(await query(app.database.url, `select id from idp_users where email = 'late@example.com'`)).toEqual([])
  })

  test('a session has access to a claimed organization from the next request on', async () => {
    const { orgId, key } = await app.given.apiKey()
    await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'theirs@example.com' } })
    const { session } = await app.given.session()
    const contacts = () => app.rest('GET', '/api/crm/v1/contacts', { session, headers: { 'x-org-id': orgId } })
    expect((await contacts()).status).toBe(403)

    const token = await app.given.claim(orgId)
    const { body } = await app.graphql(`mutation { claimOrganization(input: { token: "${token}" }) { id name role } }`, undefined, {
      session,
    })

    expect(body.data.claimOrganization).toEqual({ id: orgId, name: 'Test organization', role: 'OWNER' })
    expect((await contacts()).body.data).toHaveLength(1)
  })

  test('422 with an example for an invalid body, 413 for one that is too large', async () => {
    const token = await app.given.claim((await app.given.organization()).orgId)
    const answers = [
      await claim(token, { email: 'x@example.com' }),
      await claim(token, '{'),
      await claim(token, { email: 'x'.repeat(5000) }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([422, 422, 413])
    expect(answers[0]?.body).toEqual({
      code: 'invalid',
      status: 422,
      detail: expect.stringContaining('"sign_up"'),
      request_id: expect.any(String),
    })
  })

  test("the provider's errors, such as a short password, are passed on with their messages", async () => {
    const token = await app.given.claim((await app.given.organization()).orgId)
    const { status, body } = await claim(token, { ...person('short@example.com'), password: 'short' })

    expect([status, body.detail]).toEqual([422, 'Password too short'])
  })
})

describe('the page', () => {
  test('works without scripts: the form, its errors, and the session', async () => {
    const { orgId } = await app.given.organization('<Acme & Sons>')
    const address = `${app.url}/claim/${await app.given.claim(orgId)}`
    const shown = await fetch(address, { headers: { accept: 'text/html' } })
    const html = await shown.text()
    const policy = shown.headers.get('content-security-policy') ?? ''

    expect([shown.status, shown.headers.get('cache-control'), shown.headers.get('referrer-policy')]).toEqual([
      200,
      'no-store',
      'same-origin',
    ])
    expect(html).toContain('Become the owner of &lt;Acme &amp; Sons&gt;')
    expect(html).not.toMatch(/<script|style=|<style|\son[a-z]+=/)
    expect(policy).toContain("form-action 'self'")
    expect((await fetch(`${app.url}/claim/page.css`)).headers.get('content-type')).toContain('text/css')

    const wrong = await fetch(address, form({ action: 'sign_in', email: '"><i>@example.com', password, name: '' }))
    const again = await wrong.text()
    expect([wrong.status, again.includes('role="alert"'), again.includes('value="&quot;&gt;&lt;i&gt;@example.com"')]).toEqual([
      expect.any(Number),
      true,
      true,
    ])
    expect(again).not.toContain(password)

    const done = await fetch(address, form({ action: 'sign_up', email: 'page@example.com', password, name: 'Page' }))
    const page = await done.text()
    expect([done.status, page.includes('You are an owner of &lt;Acme &amp; Sons&gt;')]).toEqual([201, true])
    const session = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(page)?.[0] ?? ''
    expect((await app.rest('GET', '/api/crm/v1/contacts', { session })).status).toBe(200)

    const gone = await fetch(address, { headers: { accept: 'text/html' } })
    expect([gone.status, (await gone.text()).includes('npm run rolocom -- claim')]).toEqual([404, true])
  })

  test('the token is never logged', async () => {
    const token = await app.given.claim((await app.given.organization()).orgId)
    await fetch(`${app.url}/claim/${token}`)
    await claim(token, person('logged@example.com'))

    expect(app.log.join('')).not.toContain(token)
    expect(app.log.join('')).toContain('/claim/...')
  })
})

describe('inviteToOrganization', () => {
  const invite = (at: TestApp, session: string, headers: Record<string, string> = {}) =>
    at.graphql('mutation { inviteToOrganization(input: {}) { token address role } }', undefined, { session, headers })

  test('admits new users with SIGN_UP=invited, and only existing ones with SIGN_UP=closed', async () => {
    const invited = await startApp({ database: app.database, env: { SIGN_UP: 'invited' } })
    const owner = await app.given.session()
    const { token, address, role } = (await invite(invited, owner.session)).body.data.inviteToOrganization
    expect([address, role]).toEqual([`${invited.url}/claim/${token}`, 'MEMBER'])

    const closed = await claim(token, person('member@example.com'))
    const joined = await invited.rest('POST', `/claim/${token}`, { body: person('member@example.com') })
    const further = await invite(invited, joined.body.session_token)
    await invited.close()

    expect([closed.status, closed.body.detail]).toEqual([403, expect.stringContaining('SIGN_UP')])
    expect(joined.body.organization).toEqual({ id: owner.orgId, name: 'Test organization', role: 'member' })
    expect(further.body.errors[0].extensions.code).toBe('FORBIDDEN')
  })

  test('FORBIDDEN: the organization has 50 unused invitations', async () => {
    const { session } = await app.given.session()
    const answers = await Promise.all(Array.from({ length: 52 }, () => invite(app, session)))

    expect(answers.filter(({ body }) => body.data)).toHaveLength(50)
  })
})

test('429: too many attempts from one IP address', async () => {
  const limited = await startApp({ database: app.database, env: { RATE_LIMIT: '1' } })
  const statuses: number[] = []
  for (let n = 0; n < 31; n++) statuses.push((await limited.rest('GET', `/claim/${'y'.repeat(43)}`)).status)
  await limited.close()

  expect(statuses).toEqual([...Array(30).fill(404), 429])
})
