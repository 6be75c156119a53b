// One question without the cache: for the pages before signing in, which do not load it.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { failureFrom, Refused } from './failure.ts'
import { nameOf, storedOperation } from './stored.ts'
import { graphqlAddress, graphqlFetch } from './transport.ts'

/** The answer. Throws Refused where it has errors, and a TypeError where there is no answer. */
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
