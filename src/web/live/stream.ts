// The stream of changes: one tab of this browser holds the connection and passes the changes on to the other tabs.

import type { createClient } from 'graphql-sse'
import { failureFrom } from '../data/failure.ts'
import { storedOperation } from '../data/stored.ts'
import type { ChangesSubscription } from '../generated/operations.ts'
import { currentCaller, forgetCaller } from '../session/caller.ts'
import { type Connectivity, reportStream } from './connectivity.ts'

/** Loads and makes the client of event streams: the first screen does not wait for it. */
type Connect = () => Promise<ReturnType<typeof createClient>>
type Message = { kind: 'change'; data: ChangesSubscription } | { kind: 'state'; state: Connectivity } | { kind: 'hello' }

// A lost connection is tried again after 1 s, then 2 s, then every 3 s, a quarter more or less: the page can be used within 5 s of the server's
// return. That is one request for all tabs of a browser; shorter floods a server that starts.
const firstWaitMs = 1000
const maxWaitMs = 3000

/**
 * Follows the changes. `scope` names the caller and the organization: tabs of the same scope share one connection. When the tab
 * that holds it is closed, another tab connects, behind the last change that it has seen. Returns the function that ends it.
 */
export function followChanges(connect: Connect, scope: string, receive: (data: ChangesSubscription) => void): () => void {
  const ending = new AbortController()
  const channel = new BroadcastChannel(`rolocom.changes ${scope}`)
  let lastId: string | null = null
  let state: Connectivity = 'connecting'
  let isLeading = false

  const deliver = (data: ChangesSubscription) => {
    // The stream does not have the changes between the page's first answers and its own beginning, so everything is read again once.
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
        // A resumed stream sends nothing before the next change, so an open connection already counts as live.
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
      await waited(outcome?.retryAfter ? outcome.retryAfter * 1000 : waitMs * (0.75 + Math.random() / 2), ending.signal)
      waitMs = Math.min(waitMs * 2, maxWaitMs)
    }
  }

  // Pages served without TLS have no locks: each tab then has a connection of its own.
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

/** One connection. Resolves when it ends, with the refusal if the server gave one. */
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

/** Waits; shorter when the browser is online again. */
function waited(ms: number, signal: AbortSignal): Promise<void> {
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
