// urql with graphcache: pages of a list in both directions by relayPagination, an optimistic write, and a change that comes by itself.

import assert from 'node:assert/strict'
import { Client, fetchExchange, gql, subscriptionExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { relayPagination } from '@urql/exchange-graphcache/extras'
import { subscriber, until } from '../live.ts'
import type { Row } from '../row.ts'

const list = gql`query List($first: Int, $after: String, $last: Int, $before: String, $filter: ContactFilter) {
  contacts(first: $first, after: $after, last: $last, before: $before, filter: $filter, sort: CREATED_AT) {
    edges { cursor node { id firstName } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`
const rename = gql`mutation Rename($input: UpdateContactInput!) { updateContact(input: $input) { id firstName } }`
const create = gql`mutation Create($input: CreateContactInput!) { createContact(input: $input) { id } }`
const changes = gql`subscription Changes { changes { id type entity { ... on Contact { id firstName } } } }`

interface List {
  contacts: {
    edges: { node: { id: string; firstName: string } }[]
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string }
  }
}
interface Update {
  input: { id: string; firstName: string }
}

export const row: Row = {
  name: 'urql with graphcache: a list',
  packages: ['@urql/core', '@urql/exchange-graphcache', 'graphql-sse'],
  async run({ url, key }) {
    const subscribe = subscriber(url, key)
    const clientWithCache = () => {
      const cache = cacheExchange({
        keys: { Change: () => null },
        resolvers: { Query: { contacts: relayPagination() } },
        optimistic: {
          updateContact: args => ({ __typename: 'Contact', id: (args as unknown as Update).input.id, firstName: 'Expected' }),
        },
      })
      const live = subscriptionExchange({
        forwardSubscription: ({ query = '', variables = {} }) => ({
          subscribe: sink => ({
            unsubscribe: subscribe({ query, variables: variables as Record<string, unknown> }, sink as Parameters<typeof subscribe>[1]),
          }),
        }),
      })
      return new Client({
        url: `${url}/graphql`,
        fetchOptions: { headers: { Authorization: `Bearer ${key}` } },
        preferGetMethod: false,
        exchanges: [cache, fetchExchange, live],
      })
    }
    const client = clientWithCache()
    const filter = { tagIn: ['urql'] }
    for (const firstName of ['U1', 'U2', 'U3', 'U4', 'U5']) {
      const made = await client.mutation(create, { input: { firstName, tags: ['urql'] } }).toPromise()
      assert.equal(made.error, undefined)
    }
    const namesOf = (data: List | undefined) => data?.contacts.edges.map(({ node }) => node.firstName)
    const page = async (of: Client, variables: Record<string, unknown>) => {
      const { data, error } = await of.query<List>(list, { ...variables, filter }).toPromise()
      assert.equal(error, undefined)
      return data
    }

    let found = await page(client, { first: 2 })
    while (found?.contacts.pageInfo.hasNextPage) found = await page(client, { first: 2, after: found.contacts.pageInfo.endCursor })
    assert.deepEqual(namesOf(found), ['U1', 'U2', 'U3', 'U4', 'U5'])

    const other = clientWithCache()
    let last = await page(other, { last: 2 })
    while (last?.contacts.pageInfo.hasPreviousPage) last = await page(other, { last: 2, before: last.contacts.pageInfo.startCursor })
    assert.deepEqual(namesOf(last), ['U1', 'U2', 'U3', 'U4', 'U5'])

    const shown: (string | undefined)[] = []
    const watching = client.query<List>(list, { first: 2, filter }).subscribe(({ data }) => void shown.push(namesOf(data)?.[0]))
    const id = found?.contacts.edges[0]?.node.id ?? ''
    await client.mutation(rename, { input: { id, firstName: 'Written' } }).toPromise()
    await until('the expected name and the written one', () => shown.indexOf('Expected') > 0 && shown.at(-1) === 'Written')

    const heard: string[] = []
    const stream = client
      .subscription<{ changes: { type: string } }>(changes, {})
      .subscribe(({ data }) => void heard.push(data?.changes.type ?? ''))
    await until('following', () => heard.includes('FOLLOWING'))
    // By another client, so that only the stream tells this one.
    await other.mutation(rename, { input: { id, firstName: 'Elsewhere' } }).toPromise()
    await until('the change', () => shown.at(-1) === 'Elsewhere')
    stream.unsubscribe()
    watching.unsubscribe()
    return 'both directions, an optimistic write, a live update'
  },
}
