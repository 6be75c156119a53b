// The server's stream of changes for clients that take subscriptions from elsewhere: graphql-sse, one connection for each subscription.

import type { ExecutionResult } from 'graphql'
import { createClient } from 'graphql-sse'

interface Request {
  query: string
  variables: Record<string, unknown>
}
interface Sink<Data> {
  next(result: ExecutionResult<Data>): void
  error(error: unknown): void
  complete(): void
}

/** Subscribes, and returns a function that ends the subscription. */
export const subscriber =
  (server: string, key: string) =>
  <Data>(request: Request, sink: Sink<Data>): (() => void) =>
    createClient({ url: `${server}/graphql`, headers: { Authorization: `Bearer ${key}` } }).subscribe<Data>(request, {
      next: result => sink.next(result as ExecutionResult<Data>),
      error: error => sink.error(error),
      complete: () => sink.complete(),
    })

/** Resolves when the condition holds; throws after ten seconds. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries === 500) throw new Error(`not within ten seconds: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
