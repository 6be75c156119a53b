// PUT /api/crm/v1/contacts?match=email

import { describe, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { conforming } from '../conforming.ts'

const app = await openApp()
const rest = conforming(app)

const path = '/api/crm/v1/contacts?match=email'

describe('PUT /api/crm/v1/contacts?match=email', () => {
  test('201 with Location the first time, 200 afterwards; absent fields are unchanged, null clears', async () => {
    const { key } = await app.given.apiKey()

    const created = await rest('PUT', path, { key, body: { email: 'ada@example.com', first_name: 'Ada', city: 'London' } })
    const updated = await rest('PUT', path, { key, body: { email: 'ADA@example.com', city: null, job_title: 'Analyst' } })

    expect([created.status, updated.status]).toEqual([201, 200])
    expect(created.headers.get('location')).toBe(`/api/crm/v1/contacts/${created.body.id}`)
    expect(updated.body).toMatchObject({ id: created.body.id, first_name: 'Ada', city: null, job_title: 'Analyst', version: 2 })
  })

  test('201: creates a new contact if the existing one is deleted', async () => {
    const { key } = await app.given.apiKey()
    const first = await rest('PUT', path, { key, body: { email: 'ada@example.com' } })
    await rest('DELETE', `/api/crm/v1/contacts/${first.body.id}`, { key })

    const second = await rest('PUT', path, { key, body: { email: 'ada@example.com' } })

    expect(second.status).toBe(201)
    expect(second.body.id).not.toBe(first.body.id)
  })

  test('concurrent requests create one contact', async () => {
    const { key } = await app.given.apiKey()

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => rest('PUT', path, { key, body: { email: 'race@example.com', tags: [`t${n % 3}`] } })),
    )

    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19)
  })

  test('422: match is required and must be email', async () => {
    const { key } = await app.given.apiKey()
    const body = { email: 'ada@example.com' }

    const absent = await rest('PUT', '/api/crm/v1/contacts', { key, body })
    const other = await rest('PUT', '/api/crm/v1/contacts?match=phone', { key, body })

    expect(absent.body.detail).toEqual([{ loc: ['query', 'match'], msg: 'Field required', type: 'missing', input: null, ctx: {} }])
    expect(other.body.detail).toEqual([
      { loc: ['query', 'match'], msg: "Input should be 'email'", type: 'literal_error', input: 'phone', ctx: { expected: "'email'" } },
    ])
  })
})
