// The normalized caches of Apollo Client and urql's graphcache must return two targets, two actors and the steps of all recipes unchanged.

import assert from 'node:assert/strict'
import { ApolloClient, gql as apolloGql, HttpLink, InMemoryCache } from '@apollo/client'
import { Client, fetchExchange, gql as urqlGql } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { getIntrospectionQuery, type IntrospectionQuery } from 'graphql'
import type { Row } from '../row.ts'

const document = `query Everything {
  me { id name organizations { id name } }
  recipes { nodes { id name steps { step provider price } } }
  enrichmentJobs(first: 20) { nodes { id target { hostApp targetId kind } createdBy { actorId type name } } }
}`
const rename = 'mutation Rename($id: ID!) { updateContact(input: { id: $id, firstName: "Renamed" }) { id firstName } }'
const read = 'query Read($id: ID!) { contact(id: $id) { id firstName } }'

interface Renamed {
  contact: { firstName: string }
}

export const row: Row = {
  name: 'Apollo Client, urql with graphcache',
  packages: ['@apollo/client', '@urql/core', '@urql/exchange-graphcache'],
  async run({ url, key }) {
    const headers = { Authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const ask = async (query: string) => {
      const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
      const { data, errors } = (await answer.json()) as { data: Record<string, unknown>; errors?: unknown }
      assert.equal(errors, undefined)
      return data
    }
    for (const app of ['one', 'other'])
      await ask(`mutation { enqueueEnrichment(input: { target: { hostApp: "${app}", id: "7", kind: "deal" } }) { id } }`)
    const { createContact } = await ask('mutation { createContact(input: { email: "caches@example.com" }) { id } }')
    const { id } = createContact as { id: string }
    const truth = await ask(document)

    const apollo = new ApolloClient({ link: new HttpLink({ uri: `${url}/graphql`, headers }), cache: new InMemoryCache() })
    await apollo.query({ query: apolloGql(document) })
    const kept = await apollo.query<Record<string, unknown>>({ query: apolloGql(document), fetchPolicy: 'cache-only' })
    assert.deepEqual(plain(kept.data), truth)
    await apollo.query({ query: apolloGql(read), variables: { id } })
    await apollo.mutate({ mutation: apolloGql(rename), variables: { id } })
    const renamed = await apollo.query<Renamed>({ query: apolloGql(read), variables: { id }, fetchPolicy: 'cache-only' })
    assert.equal(renamed.data?.contact.firstName, 'Renamed')

    const warned: string[] = []
    const introspection = (await ask(getIntrospectionQuery())) as unknown as IntrospectionQuery
    const cache = cacheExchange({
      schema: introspection,
      keys: keyless(introspection),
      logger: (severity, message) => {
        if (severity !== 'debug') warned.push(message)
      },
    })
    const urql = new Client({ url: `${url}/graphql`, fetchOptions: { headers }, preferGetMethod: false, exchanges: [cache, fetchExchange] })
    const first = await urql.query(urqlGql(document), {}).toPromise()
    assert.equal(first.error, undefined)
    const cached = await urql.query(urqlGql(document), {}, { requestPolicy: 'cache-only' }).toPromise()
    assert.deepEqual(plain(cached.data), truth)
    assert.deepEqual(warned, [])
    return 'both keep what was answered, a mutation changes what a query reads'
  },
}

// graphcache needs a list of types without identity: those without an `id` field.
function keyless({ __schema: { types } }: IntrospectionQuery) {
  const without = types.filter(type => type.kind === 'OBJECT' && !type.fields.some(({ name }) => name === 'id'))
  return Object.fromEntries(without.map(({ name }) => [name, () => null]))
}

// Removes `__typename`, which the clients add to documents.
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== '__typename')
      .map(([name, inner]) => [name, plain(inner)]),
  )
}
