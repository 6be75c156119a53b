// Contacts follow their companies.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../../support/app.ts'
import { owner, wordsOf } from './companies-of-contacts.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })

describe('a company that is changed', () => {
  test('changes name and domain of its contacts at once, deleted ones too, with an event and for the search', async () => {
    const { add, read, rest, company, on } = await owner(app)
    const engines = await company({ name: 'Engines', domain: 'engines.example' })
    const contact = await add({ companyId: engines.id })
    const gone = await add({ companyId: engines.id })
    const other = await add({ companyName: 'Looms' })
    await rest('DELETE', `/contacts/${gone.id}`)
    await rest('PATCH', `/companies/${engines.id}`, { phone: '+442079460958' })
    const untouched = await read(contact.id)
    await rest('PATCH', `/companies/${engines.id}`, { name: 'Motors', domain: 'motors.example' })
    const { contacts } = await on.data(
      '{ contacts(filter: { q: "motors" }) { nodes { id timeline(first: 1) { nodes { changes { field after } } } } } }',
    )

    expect(untouched.version).toBe(1)
    expect([wordsOf(await read(contact.id)), wordsOf(await read(gone.id)), wordsOf(await read(other.id))]).toEqual([
      ['Motors', 'motors.example', 'Motors'],
      ['Motors', 'motors.example', 'Motors'],
      ['Looms', null, 'Looms'],
    ])
    expect(contacts.nodes).toEqual([
      {
        id: contact.id,
        timeline: {
          nodes: [
            {
              changes: [
                { field: 'companyName', after: 'Motors' },
                { field: 'companyDomain', after: 'motors.example' },
              ],
            },
          ],
        },
      },
    ])
  })

  test('with many contacts changes them in the queue', async () => {
    const { rest, company, on } = await owner(app)
    const engines = await company({ name: 'Engines' })
    for (let batch = 0; batch < 7; batch++) {
      const contacts = Array.from({ length: 100 }, (_one, index) => ({ email: `p${batch}x${index}@mail.example`, company_id: engines.id }))
      await rest('POST', '/contacts/batch', { contacts })
    }
    await rest('PATCH', `/companies/${engines.id}`, { name: 'Motors' })
    const named = async (name: string) =>
      (await on.data('query ($name: String!) { contacts(filter: { companyNameIn: [$name] }) { totalCount } }', { name })).contacts
        .totalCount

    await expect.poll(() => named('Motors'), { timeout: 20_000 }).toBe(700)
    expect(await named('Engines')).toBe(0)
  })

  test('and contacts that are linked to it at the same time agree in the end', async () => {
    const { add, rest, read, company } = await owner(app)
    const engines = await company({ name: 'Engines 0' })
    const adding = Array.from({ length: 20 }, () => add({ companyId: engines.id }))
    const naming = Array.from({ length: 5 }, (_one, index) => rest('PATCH', `/companies/${engines.id}`, { name: `Engines ${index + 1}` }))
    const ids = (await Promise.all(adding)).map(({ id }) => id)
    await Promise.all(naming)
    const { body } = await rest('GET', `/companies/${engines.id}`)

    await expect
      .poll(async () => new Set((await Promise.all(ids.map(read))).map(({ companyName }: Json) => companyName)), { timeout: 20_000 })
      .toEqual(new Set([body.name]))
  })
})

test('a deleted company leaves its contacts what they say of it, and is back when it is restored', async () => {
  const { add, read, rest, company } = await owner(app)
  const engines = await company({ name: 'Engines', domain: 'engines.example' })
  const contact = await add({ companyId: engines.id })
  await rest('DELETE', `/companies/${engines.id}`)
  const without = await read(contact.id)
  const next = await add({ companyDomain: 'engines.example' })
  const refused = await rest('POST', `/companies/${engines.id}/restore`)
  await rest('DELETE', `/companies/${next.companyId}`)
  await rest('POST', `/companies/${engines.id}/restore`)

  expect([wordsOf(without), without.companyId]).toEqual([['Engines', 'engines.example', null], engines.id])
  expect(next.companyId).not.toBe(engines.id)
  expect(refused.status).toBe(409)
  expect(wordsOf(await read(contact.id))).toEqual(['Engines', 'engines.example', 'Engines'])
})
