// Contacts find their company, or make one, when they are written.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../../support/app.ts'
import { owner, wordsOf } from './companies-of-contacts.ts'

const app = await openApp()

describe('a contact that is written with a company', () => {
  test('makes it where there is none, by the same actor and from the same source, with its event', async () => {
    const { add, on, companies } = await owner(app)
    const contact = await add({ companyName: ' Engines ', companyDomain: 'https://www.Engines.example/about', source: 'VOICE' })
    const { company } = await on.data(
      `query ($id: ID!) { company(id: $id) { source createdBy { type } version timeline { nodes { type } } } }`,
      { id: contact.companyId },
    )
    await add({ companyDomain: 'looms.example' })

    expect(wordsOf(contact)).toEqual(['Engines', 'engines.example', 'Engines'])
    expect(company).toEqual({
      source: 'VOICE',
      createdBy: { type: 'USER' },
      version: 1,
      timeline: { nodes: [{ type: 'CONTACT_CREATED' }, { type: 'COMPANY_CREATED' }] },
    })
    expect(await companies()).toEqual([
      ['Engines', 'engines.example'],
      ['looms.example', 'looms.example'],
    ])
  })

  test('finds it by its domain, first or further, or else by its exact name in any case', async () => {
    const { add, company, companies } = await owner(app)
    await company({ name: 'Engines', domain: 'engines.example', domains: ['motors.example'] })
    await company({ name: 'Looms' })
    const written = [
      await add({ companyDomain: 'engines.example' }),
      await add({ companyName: 'Somebody else', companyDomain: 'motors.example' }),
      await add({ companyName: 'ENGINES' }),
      await add({ companyName: 'looms' }),
      await add({ companyName: 'Loom' }),
    ]

    expect(written.map(wordsOf)).toEqual([
      ['Engines', 'engines.example', 'Engines'],
      ['Engines', 'engines.example', 'Engines'],
      ['Engines', 'engines.example', 'Engines'],
      ['Looms', null, 'Looms'],
      ['Loom', null, 'Loom'],
    ])
    expect(await companies()).toHaveLength(3)
  })

  test('gives a company without a domain its domain, and takes one with another domain for another company', async () => {
    const { add, read, companies } = await owner(app)
    const first = await add({ companyName: 'Engines' })
    const second = await add({ companyName: 'engines', companyDomain: 'engines.example' })
    const other = await add({ companyName: 'Engines', companyDomain: 'engines.test' })

    expect([second.companyId, wordsOf(second)]).toEqual([first.companyId, ['Engines', 'engines.example', 'Engines']])
    expect(wordsOf(await read(first.id))).toEqual(['Engines', 'engines.example', 'Engines'])
    expect(other.companyId).not.toBe(first.companyId)
    expect(await companies()).toEqual([
      ['Engines', 'engines.example'],
      ['Engines', 'engines.test'],
    ])
  })

  test('takes the id before name and domain', async () => {
    const { add, change, company, companies } = await owner(app)
    const engines = await company({ name: 'Engines', domain: 'engines.example' })
    const contact = await add({ companyId: engines.id.toUpperCase(), companyName: 'Looms', companyDomain: 'looms.example' })
    const same = await change(contact.id, { companyId: engines.id, companyName: 'Looms' })

    expect(wordsOf(contact)).toEqual(['Engines', 'engines.example', 'Engines'])
    expect([wordsOf(same), same.version]).toEqual([wordsOf(contact), 1])
    expect(await companies()).toHaveLength(1)
  })

  test.each([
    ['a malformed id', async () => 'engines'],
    ['an unknown one', async () => '018f0000-0000-7000-8000-000000000000'],
    ['one of another organization', async () => (await (await owner(app)).company({ name: 'Theirs' })).id],
    [
      'a deleted one',
      async (mine: Awaited<ReturnType<typeof owner>>) => {
        const { id } = await mine.company({ name: 'Gone' })
        await mine.rest('DELETE', `/companies/${id}`)
        return id
      },
    ],
  ])('refuses %s with a sentence, and writes nothing', async (_what, idOf) => {
    const mine = await owner(app)
    const companyId = await idOf(mine)
    const contact = await mine.add()
    const created = await mine.rest('POST', '/contacts', { email: 'a@example.com', company_id: companyId })
    const changed = await mine.rest('PATCH', `/contacts/${contact.id}`, { company_id: companyId, city: 'Paris' })
    const batch = await mine.rest('POST', '/contacts/batch', { contacts: [{ email: 'b@example.com', company_id: companyId }] })

    for (const { status, body } of [created, changed])
      expect([status, body.errors ?? body.detail]).toEqual([
        422,
        [expect.objectContaining({ msg: expect.stringContaining('no company has this id') })],
      ])
    expect(batch.body.results[0]).toMatchObject({ outcome: 'failed', id: null })
    expect((await mine.read(contact.id)).version).toBe(1)
  })

  test('makes nothing for a mail provider, whose domain stays a text', async () => {
    const { add, companies } = await owner(app)
    const alone = await add({ companyDomain: 'gmail.com' })
    const named = await add({ companyName: 'Engines', companyDomain: 'gmail.com' })

    expect(wordsOf(alone)).toEqual([null, 'gmail.com', null])
    expect(wordsOf(named)).toEqual(['Engines', null, 'Engines'])
    expect(await companies()).toEqual([['Engines', null]])
  })

  test('makes no company where its address is taken', async () => {
    const { add, rest, companies } = await owner(app)
    await add({ email: 'taken@example.com' })
    const body = { email: 'Taken@example.com', company_name: 'Engines' }
    const refused = await rest('POST', '/contacts', body)
    const skipped = await rest('POST', '/contacts?on_conflict=skip', body)
    const batch = await rest('POST', '/contacts/batch', { contacts: [body, { email: 'new@example.com' }] })

    expect([refused.status, skipped.status, batch.body.results.map(({ outcome }: Json) => outcome)]).toEqual([
      409,
      200,
      ['failed', 'created'],
    ])
    expect(await companies()).toEqual([])
  })
})

describe('a change of a contact', () => {
  test('moves it to another company by one event, and unlinks it by null', async () => {
    const { add, change, on } = await owner(app)
    const contact = await add({ companyName: 'Engines', companyDomain: 'engines.example' })
    const moved = await change(contact.id, { companyName: 'Looms' })
    const { contact: told } = await on.data(
      'query ($id: ID!) { contact(id: $id) { timeline(first: 1) { nodes { changes { field before after } } } } }',
      contact,
    )
    const unlinked = await change(contact.id, { companyId: null })
    const again = await change(contact.id, { companyDomain: 'engines.example' })
    const cleared = await change(contact.id, { companyName: null, companyDomain: null })

    expect([wordsOf(moved), moved.version]).toEqual([['Looms', null, 'Looms'], 2])
    expect(told.timeline.nodes[0].changes).toEqual([
      { field: 'companyId', before: contact.companyId, after: moved.companyId },
      { field: 'companyName', before: 'Engines', after: 'Looms' },
      { field: 'companyDomain', before: 'engines.example', after: null },
    ])
    expect([wordsOf(unlinked), unlinked.companyId]).toEqual([[null, null, null], null])
    expect(wordsOf(again)).toEqual(['Engines', 'engines.example', 'Engines'])
    expect([wordsOf(cleared), cleared.companyId]).toEqual([[null, null, null], null])
  })

  test('with null for one text leaves the other with the contact, without a company', async () => {
    const { add, change } = await owner(app)
    const contact = await add({ companyName: 'Engines', companyDomain: 'engines.example' })
    const named = await change(contact.id, { companyDomain: null })

    expect([wordsOf(named), named.companyId]).toEqual([['Engines', null, null], null])
  })

  test('with the values that it has is none, so that a client may write back what it has read', async () => {
    const { add, rest, companies } = await owner(app)
    const { id } = await add({ companyName: 'Engines', companyDomain: 'engines.example' })
    const free = await add()
    const { body } = await rest('GET', `/contacts/${id}`)
    const same = await rest('PATCH', `/contacts/${id}`, {
      company_name: body.company_name,
      company_domain: body.company_domain,
      company_id: body.company_id,
    })
    const named = await rest('PATCH', `/contacts/${free.id}`, { company_id: null, company_name: 'Looms', company_domain: null })

    expect([same.body.version, named.body.company_name]).toEqual([1, 'Looms'])
    expect(await companies()).toHaveLength(2)
  })

  test('gives a company without a domain the domain of its contact', async () => {
    const { add, change, companies } = await owner(app)
    const contact = await add({ companyName: 'Engines' })
    const changed = await change(contact.id, { companyDomain: 'engines.example' })

    expect([changed.companyId, changed.companyDomain]).toEqual([contact.companyId, 'engines.example'])
    expect(await companies()).toEqual([['Engines', 'engines.example']])
  })
})

describe('many contacts', () => {
  test('of a batch find and make their companies by a number of statements that does not grow', async () => {
    const { on, rest, companies } = await owner(app)
    const rows = (count: number, name: string, person: string) =>
      Array.from({ length: count }, (_one, index) => ({
        ...{ email: `${person}${index}@mail.example`, company_name: `${name} ${index % 50}` },
        ...(index % 3 === 0 && { company_domain: `${name}${index % 50}.example` }),
      }))
    const counted = async (count: number, name: string, person = name) => {
      app.statements()
      await rest('POST', '/contacts/batch', { contacts: rows(count, name, person) })
      return app.statements()
    }
    await counted(2, 'warm')
    const [few, many, found] = [await counted(4, 'few'), await counted(100, 'many'), await counted(100, 'many', 'other')]

    // Found: BEGIN, one for the companies, one for the contacts, COMMIT.
    expect([many, found]).toEqual([few, 4])
    expect((await companies()).filter(([name]) => name.startsWith('many'))).toHaveLength(50)
    const { contacts } = await on.data('{ contacts(filter: { companyNameIn: ["many 0"] }) { nodes { companyDomain company { name } } } }')
    expect(contacts.nodes).toEqual(Array.from({ length: 4 }, () => ({ companyDomain: 'many0.example', company: { name: 'many 0' } })))
  })

  test('that are added at once end with one company', async () => {
    const { add, companies } = await owner(app)
    const added = await Promise.all(
      Array.from({ length: 12 }, (_one, index) => add(index % 2 === 0 ? { companyName: 'Engines' } : { companyDomain: 'looms.example' })),
    )

    expect(new Set(added.map(({ companyId }) => companyId)).size).toBe(2)
    expect(await companies()).toEqual([
      ['Engines', null],
      ['looms.example', 'looms.example'],
    ])
  })

  test('are listed with their companies by one more statement, and without them by none', async () => {
    const { add, on } = await owner(app)
    for (const name of ['a', 'b', 'c', 'a']) await add({ companyName: name })
    const counted = async (fields: string) => {
      const query = `{ contacts { nodes { ${fields} } } }`
      await on.data(query)
      app.statements()
      await on.data(query)
      return app.statements()
    }

    expect([await counted('id companyName'), await counted('id companyName company { name }')]).toEqual([1, 2])
  })

  test('of a company are a list, in pages', async () => {
    const { add, rest, company } = await owner(app)
    const engines = await company({ name: 'Engines' })
    const ids: string[] = []
    for (let count = 0; count < 3; count++) ids.unshift((await add({ companyId: engines.id })).id)
    await add({ companyName: 'Looms' })
    const first = await rest('GET', `/contacts?company_id=${engines.id}&limit=2&include=total`)
    const second = await rest('GET', `/contacts?company_id=${engines.id}&limit=2&cursor=${first.body.next_cursor}`)
    const none = await rest('GET', '/contacts?company_id=nothing')

    expect([...first.body.data, ...second.body.data].map(({ id }: Json) => id)).toEqual(ids)
    expect([first.body.total, none.body.data]).toEqual([3, []])
  })
})

describe('the contacts of companies', () => {
  test('are listed in pages, newest first, without deleted ones, by one statement for all companies of a page', async () => {
    const { add, on, rest, company } = await owner(app)
    const [engines, looms] = [await company({ name: 'Engines' }), await company({ name: 'Looms' })]
    const ids: string[] = []
    for (let count = 0; count < 3; count++) ids.unshift((await add({ companyId: engines.id })).id)
    const gone = await add({ companyId: engines.id })
    await rest('DELETE', `/contacts/${gone.id}`)
    const other = await add({ companyId: looms.id })
    const query = `query ($after: String) { companies(sort: NAME) { nodes {
      contacts(first: 2, after: $after) { totalCount nodes { id } pageInfo { endCursor } }
    } } }`
    const first = (await on.data(query)).companies.nodes
    app.statements()
    await on.data('{ companies { nodes { id name contacts(first: 2) { nodes { id } } } } }')
    const statements = app.statements()
    const rest1 = await rest('GET', `/companies/${engines.id}/contacts?limit=2&include=total`)
    const rest2 = await rest('GET', `/companies/${engines.id}/contacts?limit=2&cursor=${rest1.body.next_cursor}`)

    expect(first.map(({ contacts }: Json) => [contacts.totalCount, contacts.nodes.map(({ id }: Json) => id)])).toEqual([
      [3, ids.slice(0, 2)],
      [1, [other.id]],
    ])
    expect(statements).toBe(2)
    expect([...rest1.body.data, ...rest2.body.data].map(({ id }: Json) => id)).toEqual(ids)
    expect([rest1.body.total, rest2.body.has_more]).toEqual([3, false])
  })

  test('are not found for a company that is deleted, unknown or of another organization', async () => {
    const [mine, theirs] = [await owner(app), await owner(app)]
    const { id } = await mine.company({ name: 'Engines' })
    const foreign = await theirs.rest('GET', `/companies/${id}/contacts`)
    await mine.rest('DELETE', `/companies/${id}`)
    const gone = await mine.rest('GET', `/companies/${id}/contacts`)
    const odd = await mine.rest('GET', '/companies/engines/contacts')

    expect([foreign, gone, odd].map(({ status }) => status)).toEqual([404, 404, 404])
  })
})

test('a contact is not found in the organization of a company that another made with the same domain', async () => {
  const [mine, theirs] = [await owner(app), await owner(app)]
  const own = await mine.add({ companyDomain: 'engines.example' })
  const other = await theirs.add({ companyDomain: 'engines.example' })
  const read = await theirs.on.data('query ($id: ID!) { contacts(filter: { companyId: $id }) { nodes { id } } }', { id: own.companyId })

  expect(own.companyId).not.toBe(other.companyId)
  expect(read.contacts.nodes).toEqual([])
})
