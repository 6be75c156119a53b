// GET /api/dashboard

import { describe, expect, test } from 'vitest'
import { seedFirst } from '../../prisma/seed/seed.ts'
import { type Json, openApp, serviceToken } from '../support/app.ts'
import { conforming } from './conforming.ts'

const app = await openApp()
const rest = conforming(app)

const path = '/api/dashboard'

describe('GET /api/dashboard', () => {
  test("200: a user's dashboard, with the five newest contacts", async () => {
    const { session, userId } = await app.given.session()
    for (const n of [1, 2, 3, 4, 5, 6]) await rest('POST', '/api/crm/v1/contacts', { session, body: { email: `n${n}@example.com` } })

    const { status, body } = await rest('GET', path, { session })

    expect(status).toBe(200)
    expect(body).toMatchObject({ mode: 'user', demo: false, user: { user_id: userId }, stats: { contacts: { total: 6 } } })
    expect(body.recent_contacts.map(({ email }: Json) => email)).toEqual([6, 5, 4, 3, 2].map(n => `n${n}@example.com`))
    expect(body.widgets.map(({ error }: Json) => error)).toEqual(body.widgets.map(() => null))
  })

  test('200: unknown fields of a recent call are empty, as in the call itself', async () => {
    const { session, orgId } = await app.given.session()
    const { key } = await app.given.apiKey({ orgId })
    const { body: agent } = await rest('POST', '/api/voice/v1/agents', { key, body: { name: 'Appointment desk' } })
    const schedule = { earliest_at: new Date(Date.now() + 60_000).toISOString() }
    const to_number = '+442079460958'
    const { body: call } = await rest('POST', '/api/voice/v1/calls', { key, body: { agent_id: agent.id, to_number, schedule } })

    const { body } = await rest('GET', path, { session })

    const [recent] = body.recent_calls
    expect(recent).toMatchObject({ id: call.id, status: 'queued', outcome: '', duration_seconds: null })
    expect(call).toMatchObject(recent)
    expect(Object.keys(recent)).not.toContain('transcript')
  })

  test('401: an API key is not accepted', async () => {
    const { key } = await app.given.apiKey()

    expect((await rest('GET', path, { key })).status).toBe(401)
    expect((await rest('GET', path)).status).toBe(401)
  })

  test('200: a backend gets the dashboard of the user it names', async () => {
    const { session, userId } = await app.given.session()
    await rest('POST', '/api/crm/v1/contacts', { session, body: { email: 'theirs@example.com' } })

    const { status, body } = await rest('GET', path, { headers: { 'X-Svc-Services-Token': serviceToken, 'x-user-id': userId } })

    expect(status).toBe(200)
    const own = await rest('GET', path, { session })
    const { mode, user, recent_contacts } = own.body
    expect(recent_contacts).toHaveLength(1)
    expect(body).toMatchObject({ mode, user, recent_contacts })
    const unknownUser = await rest('GET', path, { headers: { 'X-Svc-Services-Token': serviceToken, 'x-user-id': 'never-been-here' } })
    expect(unknownUser.status).toBe(403)
  })

  test('403: the service token without a user', async () => {
    expect((await rest('GET', path, { headers: { 'X-Svc-Services-Token': serviceToken } })).status).toBe(403)
  })

  test('404 for a guest without a demo organization, 200 with its data otherwise', async () => {
    const headers = { 'X-Guest-ID': 'guest' }
    const { key } = await app.given.apiKey()
    await rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'private@example.com' } })

    const before = await rest('GET', path, { headers })
    await seedFirst(app.services)
    const { status, body } = await rest('GET', path, { headers })

    expect([before.status, status]).toEqual([404, 200])
    expect(body).toMatchObject({ mode: 'guest', demo: true, user: null })
    expect(body.recent_contacts).toHaveLength(5)
    expect(JSON.stringify(body)).not.toContain('private@example.com')
    const contacts = await rest('GET', '/api/crm/v1/contacts?include=total', { headers })
    expect(contacts.body.total).toBe(body.stats.contacts.total)
    expect((await rest('GET', '/api/crm/v1/contacts?email=private@example.com', { headers })).body.data).toEqual([])
  })
})
