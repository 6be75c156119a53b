// Sends one operation without the cache. The pages before the sign-in do not load the cache.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { failureFrom, Refused } from './failure.ts'
import { nameOf, storedOperation } from './stored.ts'
import { graphqlAddress, graphqlFetch } from './transport.ts'

/** Resolves with the data. Throws Refused when the answer has errors, and a TypeError when the server does not answer. */
export async function ask<Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables): Promise<Data> {
  const operationName = nameOf(document)
  const response = await graphqlFetch(graphqlAddress, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query: storedOperation(operationName)?.text, operationName, variables }),
  })
  const { data, errors }: { data?: Data; errors?: { message: string; extensions?: Record<string, unknown> }[] } = await response.json()
  if (errors?.[0]) throw new Refused(failureFrom(errors[0]))
  if (data == null) throw new Refused(failureFrom({ message: `The server answered ${response.status} without data` }))
  return data
}
