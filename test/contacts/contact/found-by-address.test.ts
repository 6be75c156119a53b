// Contacts are found by each of their addresses and numbers, not by the primary ones alone.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { type Client, clientIn } from '../client.ts'

const app = await openApp()

const ada = {
  fullName: 'Ada Lovelace',
  emails: [{ value: 'ada@example.com' }, { value: 'lovelace@engines.example' }],
  phones: [{ value: '+442079460958' }, { value: '+442079460959' }, { value: '030 901820' }],
}
const listed = async (on: Client, filter: Json) =>
  (await on.data('query ($filter: ContactFilter) { contacts(filter: $filter) { nodes { id } totalCount } }', { filter })).contacts

describe('a further address or number', () => {
  test('matches the filters of lists, also for deleted contacts', async () => {
    const on = await clientIn(app)
    const { id } = await on.create(ada)
    await on.create({ email: 'bob@example.com', phone: '+442079460957' })
    const filters = [
      { email: 'LOVELACE@engines.example' },
      { email: 'ada@example.com' },
      { phone: '+44 20 7946 0959' },
      { phone: '020 7946 0959' },
      { phone: '030901820' },
      { q: 'lovelace@engines' },
      { q: '79460959' },
    ]

    for (const filter of filters) expect([filter, await listed(on, filter)]).toEqual([filter, { nodes: [{ id }], totalCount: 1 }])
    expect(await listed(on, { phone: '+1 207 946 0959' })).toEqual({ nodes: [], totalCount: 0 })
    await on.data('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id })
    for (const filter of [{ email: 'ada@example.com' }, { phone: '+442079460959' }])
      expect((await listed(on, { ...filter, onlyDeleted: true })).nodes).toEqual([{ id }])
    expect((await listed(on, { email: 'lovelace@engines.example' })).nodes).toEqual([])
  })

  test('is searched, and shown where it was found', async () => {
    const on = await clientIn(app)
    const { id } = await on.create(ada)

    for (const query of ['lovelace@engines.example', '+442079460959']) {
      const { search } = await on.data('query ($query: String!) { search(query: $query) { nodes { entityId snippet { text } } } }', {
        query,
      })
      expect(search.nodes).toMatchObject([{ entityId: id, snippet: { text: expect.stringContaining(query) } }])
    }
  })

  test('makes duplicates: the same mailbox or number, whichever of the two contacts has it as a further one', async () => {
    const on = await clientIn(app)
    const first = await on.create(ada)
    const mailbox = await on.create({ emails: [{ value: 'other@example.com' }, { value: 'Lovelace+news@engines.example' }] })
    const number = await on.create({ email: 'number@example.com', phone: '+442079460959' })
    const further = await on.create({ email: 'further@example.com', phones: [{ value: '+442079460951' }, { value: '+4930901820' }] })
    await on.create({ email: 'nobody@example.com', phone: '+492079460959' })
    const pairs = '{ nodes { contact { id } duplicate { id } reasons } totalCount }'

    const { findDuplicates } = await on.data(`{ findDuplicates ${pairs} }`)
    const { duplicatesOf } = await on.data(`query ($id: ID!) { duplicatesOf(contactId: $id) ${pairs} }`, { id: first.id })

    const of = ({ id }: Json, reason: string) => ({ contact: { id: first.id }, duplicate: { id }, reasons: [reason] })
    // In the order of mailboxes, and then of the digits of numbers.
    expect(findDuplicates).toEqual({ nodes: [of(mailbox, 'EMAIL'), of(number, 'PHONE'), of(further, 'PHONE')], totalCount: 3 })
    expect(new Set(duplicatesOf.nodes)).toEqual(new Set(findDuplicates.nodes))
  })

  test('of a deleted contact makes no duplicate', async () => {
    const on = await clientIn(app)
    const { id } = await on.create(ada)
    const other = await on.create({ phone: '+442079460959' })
    await on.data('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id })

    const { findDuplicates, duplicatesOf } = await on.data(
      'query ($id: ID!) { findDuplicates { nodes { score } } duplicatesOf(contactId: $id) { nodes { score } } }',
      { id: other.id },
    )

    expect([findDuplicates.nodes, duplicatesOf.nodes]).toEqual([[], []])
  })
})

describe('a call to a further number', () => {
  const call = async (on: Client, toNumber: string) => {
    const { createVoiceAgent } = await on.data('mutation { createVoiceAgent(input: { name: "Grace", provider: SIMULATOR }) { id } }')
    const input = { voiceAgentId: createVoiceAgent.id, toNumber }
    return (
      await on.data('mutation ($input: CreateCallInput!) { createCall(input: $input) { contact { id } dispatchState endedReason } }', {
        input,
      })
    ).createCall
  }

  test('is a call to its contact, unless another has it as the first choice', async () => {
    const on = await clientIn(app)
    const { id } = await on.create(ada)

    expect((await call(on, '+442079460959')).contact).toEqual({ id })
    const primary = await on.create({ phone: '+442079460959' })
    expect((await call(on, '+442079460959')).contact).toEqual({ id: primary.id })
  })

  test('is refused where its contact must not be called', async () => {
    const on = await clientIn(app)
    await on.create({ ...ada, doNotCall: true })
    await on.create({ phone: '+442079460959' })

    expect(await call(on, '+442079460959')).toMatchObject({ dispatchState: 'BLOCKED', endedReason: 'do_not_call' })
  })
})
