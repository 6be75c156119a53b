// graphql-sse, distinct connections: what is subscribed arrives, and a query answers through the same client.

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
    const heard = changes.next()
    // The stream answers its head before it hears; what is written a moment later is told.
    await new Promise(resolve => setTimeout(resolve, 1000))
    const mutation = client.iterate<{ createContact: { email: string } }>({
      query: 'mutation { createContact(input: { email: "graphql-sse@example.com" }) { email } }',
    })
    const { value: written } = await mutation.next()
    assert.deepEqual(written, { data: { createContact: { email: 'graphql-sse@example.com' } } })
    const { value: told } = await heard
    assert.deepEqual(told, { data: { contactChanged: { type: 'contact.created', contact: { email: 'graphql-sse@example.com' } } } })
    await changes.return?.(undefined)
    client.dispose()
    return 'a query, a mutation, a subscription'
  },
}
