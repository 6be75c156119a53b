// The client of /graphql for one caller and one organization. Each caller and organization gets its own client and cache.

import { parse } from '@0no-co/graphql.web'
import { Client, fetchExchange, makeOperation, mapExchange, type Operation, subscriptionExchange } from '@urql/core'
import type { DocumentNode } from 'graphql'
import { ChangesDocument } from '../generated/documents/live.ts'
import { tellChange } from '../live/change.ts'
import { freshnessExchange } from '../live/freshness.ts'
import { followChanges } from '../live/stream.ts'
import { currentOrganizationId } from '../session/caller.ts'
import { createCache } from './cache.ts'
import { parseWith } from './stored.ts'
import { graphqlAddress, graphqlFetch } from './transport.ts'

// Guarantee: the parser of urql returns the AST of graphql-js, although its types have other names.
parseWith(text => parse(text, { noLocation: true }) as unknown as DocumentNode)

// graphql-sse does not retry: followChanges waits, and continues after the last change.
const connect = () =>
  import('graphql-sse').then(({ createClient }) => createClient({ url: graphqlAddress, fetchFn: graphqlFetch, retryAttempts: 0 }))

export interface DataClient {
  urql: Client
  /** Ends the stream of changes. */
  close(): void
}

/** `scope` names the caller and the organization. */
export function createDataClient(scope: string): DataClient {
  const urql = new Client({
    url: graphqlAddress,
    fetch: graphqlFetch,
    preferGetMethod: false,
    exchanges: [
      freshnessExchange,
      createCache(),
      mapExchange({ onOperation: withIdempotencyKey(currentOrganizationId()) }),
      subscriptionExchange({
        forwardSubscription: () => ({
          subscribe: sink => ({ unsubscribe: followChanges(connect, scope, data => sink.next({ data })) }),
        }),
      }),
      fetchExchange,
    ],
  })
  const following = urql.subscription(ChangesDocument, {}).subscribe(({ data }) => {
    if (data) tellChange(data.changes)
  })
  return {
    urql,
    close() {
      following.unsubscribe()
    },
  }
}

/** Sends `context.idempotencyKey` of a mutation as a header. `context.keepalive` also sends the mutation while the browser leaves the page. */
function withIdempotencyKey(organizationId: string | null) {
  return (operation: Operation): Operation => {
    const { idempotencyKey, keepalive } = operation.context
    if (typeof idempotencyKey !== 'string') return operation
    // The organization of this client: the person may have chosen another one before the mutation is sent.
    const headers = { 'idempotency-key': idempotencyKey, ...(organizationId && { 'x-org-id': organizationId }) }
    return makeOperation(operation.kind, operation, { ...operation.context, fetchOptions: { headers, keepalive: keepalive === true } })
  }
}
