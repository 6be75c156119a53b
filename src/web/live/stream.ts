// The stream of changes. One tab of the browser holds the connection, and passes changes to the other tabs.

import type { createClient } from 'graphql-sse'
import { failureFrom } from '../data/failure.ts'
import { storedOperation } from '../data/stored.ts'
import type { ChangesSubscription } from '../generated/operations.ts'
import { currentCaller, forgetCaller } from '../session/caller.ts'
import { type Connectivity, reportStream } from './connectivity.ts'

/** Loads the client of event streams on demand, so the first screen does not wait for it. */
type Connect = () => Promise<ReturnType<typeof createClient>>
type Message = { kind: 'change'; data: ChangesSubscription } | { kind: 'state'; state: Connectivity } | { kind: 'hello' }

// A lost connection is tried again after 1 s, then 2 s, then every 3 s, each 25 % more or less. The page then works within 5 s of the server's
// return. All tabs of a browser send one request; shorter waits would flood a starting server.
const firstWaitMs = 1000
const maxWaitMs = 3000

/**
 * Follows the stream of changes. `scope` names the caller and the organization. Tabs with the same scope share a connection. When the tab with
 * the connection is closed, another tab continues after the last change that it has seen. Returns a function that stops following.
 */
export function followChanges(connect: Connect, scope: string, receive: (data: ChangesSubscription) => void): () => void {
  const ending = new AbortController()
  const channel = new BroadcastChannel(`rolocom.changes ${scope}`)
  let lastId: string | null = null
  let state: Connectivity = 'connecting'
  let isLeading = false

  const deliver = (data: ChangesSubscription) => {
    // Nobody reports changes between this page's first queries and this moment, so the queries are read once more.
    const isFirst = lastId === null && data.changes.type === 'FOLLOWING'
    lastId = data.changes.id
    receive(isFirst ? { ...data, changes: { ...data.changes, type: 'READ_AFRESH' } } : data)
  }
  const report = (next: Connectivity) => {
    state = next
    reportStream(next)
    if (isLeading) channel.postMessage({ kind: 'state', state } satisfies Message)
  }

  channel.addEventListener('message', ({ data: message }: MessageEvent<Message>) => {
    if (message.kind === 'change') deliver(message.data)
    else if (message.kind === 'state') report(message.state)
    else if (isLeading) channel.postMessage({ kind: 'state', state } satisfies Message)
  })
  channel.postMessage({ kind: 'hello' } satisfies Message)

  const lead = async () => {
    isLeading = true
    let waitMs = firstWaitMs
    while (!ending.signal.aborted) {
      const asked = currentCaller()
      const outcome = await listen(connect, lastId, ending.signal, {
        // A continued stream sends nothing until the next change.
        open: () => report('live'),
        receive(data) {
          waitMs = firstWaitMs
          channel.postMessage({ kind: 'change', data } satisfies Message)
          deliver(data)
        },
      })
      if (ending.signal.aborted) return
      report('away')
      if (outcome?.code === 'UNAUTHENTICATED' && currentCaller() === asked) return forgetCaller()
      await wait(outcome?.retryAfter ? outcome.retryAfter * 1000 : waitMs * (0.75 + Math.random() / 2), ending.signal)
      waitMs = Math.min(waitMs * 2, maxWaitMs)
    }
  }

  // Pages without TLS have no locks: each tab then has its own connection.
  const leading = navigator.locks ? navigator.locks.request(`rolocom.changes ${scope}`, { signal: ending.signal }, lead) : lead()
  leading.catch(() => null)
  return () => {
    ending.abort()
    channel.close()
  }
}

interface Heard {
  open(): void
  receive(data: ChangesSubscription): void
}

/** Holds one connection. Resolves at its end, with the refusal if the server sent one. */
function listen(connect: Connect, after: string | null, signal: AbortSignal, heard: Heard) {
  return new Promise<ReturnType<typeof failureFrom> | null>(resolve => {
    let refusal: ReturnType<typeof failureFrom> | null = null
    const subscribe = (client: Awaited<ReturnType<Connect>>) => {
      if (signal.aborted) return resolve(null)
      const end = client.subscribe<ChangesSubscription>(
        { query: storedOperation('Changes')?.text ?? '', operationName: 'Changes', variables: { after } },
        {
          next({ data, errors }) {
            if (errors?.[0]) refusal = failureFrom(errors[0])
            else if (data) heard.receive(data)
          },
          error: () => resolve(refusal),
          complete: () => resolve(refusal),
        },
        { connected: heard.open },
      )
      signal.addEventListener('abort', end, { once: true })
    }
    connect().then(subscribe, () => resolve(null))
  })
}

/** Waits; ends early when the browser is online again. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    window.addEventListener('online', done)
    signal.addEventListener('abort', done, { once: true })
  })
}
