// REST: the life of a contact, what is refused, and the server's own pages.

import { randomUUID } from 'node:crypto'
import type { SoakClient } from '../client.ts'
import type { Door } from '../load.ts'

const contacts = '/api/crm/v1/contacts'

export function restDoors({ ask }: SoakClient): Door[] {
  const life = async (turn: number) => {
    const idempotent = { headers: { 'idempotency-key': randomUUID() }, body: { email: `${randomUUID()}@soak.example`, first_name: 'Ada' } }
    const { id } = await ask('POST', contacts, { ...idempotent, status: 201 })
    const again = await ask('POST', contacts, { ...idempotent, status: 201 })
    if (again.id !== id) throw new Error('a key was answered with another contact')
    await ask('PATCH', `${contacts}/${id}`, { body: { city: `City ${turn % 100}`, add_tags: [`tag-${turn % 20}`] } })
    await ask('GET', `${contacts}/${id}`)
    await ask('GET', `${contacts}?limit=20&q=ada`)
    await ask('GET', '/api/crm/v1/stats')
    await ask('DELETE', `${contacts}/${id}`)
  }
  const refusals: (() => Promise<unknown>)[] = [
    () => ask('POST', contacts, { body: { email: 'nobody', tags: 7 }, status: 422 }),
    () => ask('GET', `${contacts}/${randomUUID()}`, { status: 404 }),
    () => ask('GET', contacts, { credential: `rcm_${randomUUID()}`, status: 401 }),
    () => ask('GET', `/api/${randomUUID()}`, { status: 404 }),
    () => ask('POST', contacts, { headers: { 'content-type': 'application/json' }, body: '{"email":', status: 422 }),
  ]
  const pages = ['/', '/docs', '/docs/guides', '/healthz', '/readyz', '/openapi.json']
  return [
    { name: 'REST', everyMs: 300, act: life },
    { name: 'refused', everyMs: 500, act: async turn => void (await refusals[turn % refusals.length]?.()) },
    {
      name: 'pages',
      everyMs: 1000,
      act: async turn => void (await ask('GET', pages[turn % pages.length] ?? '/', { credential: null, headers: { accept: 'text/html' } })),
    },
  ]
}
