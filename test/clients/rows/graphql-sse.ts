// graphql-sse in distinct connections mode: a subscription receives events, and the same client executes a query.

import assert from 'node:assert/strict'
import { createClient } from 'graphql-sse'
import type { Row } from '../row.ts'

export const row: Row = {
  name: 'graphql-sse',
  packages: ['graphql-sse'],
  async run({ url, key }) {
    const client = createClient({ url: `${url}/graphql`, headers: { Authorization: `Bearer ${key}` } })
    const asked = client.iterate<{ contacts: { nodes: unknown[] } }>({ query: '{ contacts(first: 1) { nodes { __typename } } }' })
    const { value: page } = await asked.next()
    assert.equal(page?.errors, undefined)

    const changes = client.iterate<{ contactChanged: { type: string; contact: { email: string } } }>({
      query: 'subscription Changes { contactChanged { type contact { email } } }',
    })
    const next = changes.next()
    // The response headers are sent before the subscription is active, so the write is delayed.
    await new Promise(resolve => setTimeout(resolve, 1000))
    const mutation = client.iterate<{ createContact: { email: string } }>({
      query: 'mutation { createContact(input: { email: "graphql-sse@example.com" }) { email } }',
    })
    const { value: written } = await mutation.next()
    assert.deepEqual(written, { data: { createContact: { email: 'graphql-sse@example.com' } } })
    const { value: received } = await next
    assert.deepEqual(received, { data: { contactChanged: { type: 'CONTACT_CREATED', contact: { email: 'graphql-sse@example.com' } } } })
    await changes.return?.(undefined)
    client.dispose()
    return 'a query, a mutation, a subscription'
  },
}
