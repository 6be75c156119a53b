// Apollo Client: pages of a list in both directions by relayStylePagination, an optimistic write, and a change that comes by itself.

import assert from 'node:assert/strict'
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache, Observable } from '@apollo/client'
import { relayStylePagination } from '@apollo/client/utilities'
import { OperationTypeNode, print } from 'graphql'
import { subscriber, until } from '../live.ts'
import type { Row } from '../row.ts'

const list = gql`query List($first: Int, $after: String, $last: Int, $before: String, $filter: ContactFilter) {
  contacts(first: $first, after: $after, last: $last, before: $before, filter: $filter, sort: CREATED_AT) {
    totalCount
    edges { cursor node { id firstName } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`
const rename = gql`mutation Rename($input: UpdateContactInput!) { updateContact(input: $input) { id firstName } }`
const create = gql`mutation Create($input: CreateContactInput!) { createContact(input: $input) { id } }`
const changes = gql`subscription Changes { changes { id type entity { ... on Contact { id firstName } } } }`

interface List {
  contacts: {
    totalCount: number
    edges: { node: { id: string; firstName: string } }[]
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string }
  }
}
interface Renamed {
  updateContact: { __typename: 'Contact'; id: string; firstName: string }
}

export const row: Row = {
  name: 'Apollo Client: a list',
  packages: ['@apollo/client', 'graphql-sse'],
  async run({ url, key }) {
    const subscribe = subscriber(url, key)
    const http = new HttpLink({ uri: `${url}/graphql`, headers: { Authorization: `Bearer ${key}` } })
    const live = new ApolloLink(({ query, variables }) => new Observable(sink => subscribe({ query: print(query), variables }, sink)))
    const link = ApolloLink.split(({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION, live, http)
    const clientWithCache = () => {
      const contacts = relayStylePagination(['filter', 'sort'])
      return new ApolloClient({ link, cache: new InMemoryCache({ typePolicies: { Query: { fields: { contacts } } } }) })
    }
    const client = clientWithCache()
    for (const firstName of ['A1', 'A2', 'A3', 'A4', 'A5'])
      await client.mutate({ mutation: create, variables: { input: { firstName, tags: ['apollo'] } } })
    const filter = { tagIn: ['apollo'] }

    const forward = client.watchQuery<List>({ query: list, variables: { first: 2, filter } })
    const watching = forward.subscribe(() => {})
    const shown = (of: typeof forward) => (of.getCurrentResult().data as List | undefined)?.contacts
    const names = (of: typeof forward) => shown(of)?.edges.map(({ node }) => node.firstName)
    await until('the first page', () => names(forward)?.length === 2)
    for (const length of [4, 5]) {
      await forward.fetchMore({ variables: { first: 2, after: shown(forward)?.pageInfo.endCursor } })
      await until('the next page', () => names(forward)?.length === length)
    }
    assert.deepEqual(names(forward), ['A1', 'A2', 'A3', 'A4', 'A5'])
    assert.deepEqual([shown(forward)?.totalCount, shown(forward)?.pageInfo.hasNextPage], [5, false])

    const backward = clientWithCache().watchQuery<List>({ query: list, variables: { last: 2, filter } })
    const watchingBackward = backward.subscribe(() => {})
    await until('the last page', () => names(backward)?.length === 2)
    for (const length of [4, 5]) {
      await backward.fetchMore({ variables: { first: null, last: 2, before: shown(backward)?.pageInfo.startCursor } })
      await until('the page before', () => names(backward)?.length === length)
    }
    assert.deepEqual(names(backward), ['A1', 'A2', 'A3', 'A4', 'A5'])
    watchingBackward.unsubscribe()

    const id = shown(forward)?.edges[0]?.node.id ?? ''
    const writing = client.mutate<Renamed>({
      mutation: rename,
      variables: { input: { id, firstName: 'Written' } },
      optimisticResponse: { updateContact: { __typename: 'Contact', id, firstName: 'Expected' } },
    })
    await until('the expected name', () => names(forward)?.[0] === 'Expected')
    await writing
    await until('the written name', () => names(forward)?.[0] === 'Written')

    const heard: string[] = []
    const stream = client
      .subscribe<{ changes: { type: string } }>({ query: changes })
      .subscribe(({ data }) => void heard.push(data?.changes.type ?? ''))
    await until('following', () => heard.includes('FOLLOWING'))
    // By another client, so that only the stream tells this one.
    await clientWithCache().mutate({ mutation: rename, variables: { input: { id, firstName: 'Elsewhere' } } })
    await until('the change', () => names(forward)?.[0] === 'Elsewhere')
    stream.unsubscribe()
    watching.unsubscribe()
    client.stop()
    return 'both directions, an optimistic write, a live update'
  },
}
