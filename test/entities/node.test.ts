// Entities by id alone: `node`, `nodes`, and lookups that are null where there is nothing.

import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../support/app.ts'

const app = await openApp()

const idOf = async (mutation: string, key: string): Promise<string> => {
  const { body } = await app.graphql(`mutation { made: ${mutation} { id } }`, {}, { key })
  return body.data.made.id
}
const someOfEach = async (key: string) => ({
  Contact: await idOf('createContact(input: { email: "ada@example.com" })', key),
  VoiceAgent: await idOf('createVoiceAgent(input: { name: "Grace", provider: SIMULATOR })', key),
  CustomField: await idOf('createCustomField(input: { key: "size", label: "Size", type: NUMBER })', key),
})
const nodes = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }'

describe('node and nodes', () => {
  test('find entities of every type by their ids alone, in the order asked', async () => {
    const { key } = await app.given.apiKey()
    const made = await someOfEach(key)
    const unknown = uuid()

    const { body } = await app.graphql(nodes, { ids: [made.VoiceAgent, unknown, made.Contact, 'nonsense', made.CustomField] }, { key })
    const one = await app.graphql('query ($id: ID!) { node(id: $id) { id ... on Contact { email } } }', { id: made.Contact }, { key })

    expect(body.data.nodes).toEqual([
      { __typename: 'VoiceAgent', id: made.VoiceAgent },
      null,
      { __typename: 'Contact', id: made.Contact },
      null,
      { __typename: 'CustomField', id: made.CustomField },
    ])
    expect(one.body).toEqual({ data: { node: { id: made.Contact, email: 'ada@example.com' } } })
  })

  test('find nothing of another organization, and nothing that the credential may not read', async () => {
    const { key, orgId } = await app.given.apiKey()
    const made = await someOfEach(key)
    const ids = Object.values(made)
    const stranger = await app.given.apiKey()
    const reader = await app.given.apiKey({ orgId, scopes: ['contacts:read'] })

    const asStranger = await app.graphql(nodes, { ids }, { key: stranger.key })
    const asReader = await app.graphql(nodes, { ids }, { key: reader.key })
    const asNobody = await app.graphql(nodes, { ids })

    expect(asStranger.body.data.nodes).toEqual([null, null, null])
    expect(asReader.body.data.nodes.map((node: Json) => node?.__typename ?? null)).toEqual(['Contact', null, 'CustomField'])
    expect(asNobody.body.errors[0].extensions.code).toBe('UNAUTHENTICATED')
  })

  test('refuse more than 200 ids', async () => {
    const { key } = await app.given.apiKey()

    const { body } = await app.graphql(nodes, { ids: Array.from({ length: 201 }, () => uuid()) }, { key })

    expect(body.errors[0].extensions).toMatchObject({ code: 'INVALID', problems: [{ path: ['ids'] }] })
  })
})

describe('a lookup by id', () => {
  test('is null with an error at its path, and leaves the rest of the answer', async () => {
    const { key } = await app.given.apiKey()
    const id = await idOf('createContact(input: { email: "ada@example.com" })', key)
    const query = 'query ($id: ID!, $none: ID!) { contact(id: $id) { id } other: contact(id: $none) { id } call(id: $none) { id } }'

    const { status, body } = await app.graphql(query, { id, none: uuid() }, { key })

    expect(status).toBe(200)
    expect(body.data).toEqual({ contact: { id }, other: null, call: null })
    expect(body.errors.map((error: Json) => [...error.path, error.extensions.code]).sort()).toEqual([
      ['call', 'NOT_FOUND'],
      ['other', 'NOT_FOUND'],
    ])
  })

  test('finds a deleted contact where asked to', async () => {
    const { key } = await app.given.apiKey()
    const id = await idOf('createContact(input: { email: "ada@example.com" })', key)
    await app.graphql('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id }, { key })

    const without = await app.graphql('query ($id: ID!) { contact(id: $id) { id } }', { id }, { key })
    const included = await app.graphql('query ($id: ID!) { contact(id: $id, includeDeleted: true) { id deletedAt } }', { id }, { key })

    expect(without.body).toMatchObject({ data: { contact: null }, errors: [{ extensions: { code: 'NOT_FOUND' } }] })
    expect(included.body).toEqual({ data: { contact: { id, deletedAt: expect.any(String) } } })
  })
})
