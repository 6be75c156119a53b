// rolocom/client/live: what changes in the organization, as it changes, on a stream that is opened again where it broke.

import { changesDocument } from './changes-document.ts'
import { errorOf, noAnswerError, RolocomError } from './errors.ts'
import { serverEvents } from './event-stream.ts'
import type { ChangesSubscription, ChangeType } from './generated/changes.ts'
import { type Caller, credentialHeaders, withoutEndSlash } from './request.ts'
import { type Fetch, globalFetch, reasonOf, wait, waitOf } from './send.ts'

export { type AnyRolocomError, type Code, isRolocomError, RolocomError } from './errors.ts'
export type { ChangeType } from './generated/changes.ts'

/** A change, or a signal about the stream (`FOLLOWING`, `READ_AFRESH`), whose `entity`, `entityId` and `actor` are null. */
export type Change<Entity = unknown> = Omit<ChangesSubscription['changes'], 'entity'> & {
  /** Its subject as it is now, with `__typename` and the selected fields; null if it is gone or has no object. */
  entity: (NonNullable<ChangesSubscription['changes']['entity']> & Entity) | null
}

export interface FollowOptions extends Caller {
  /** The `id` of the last change that was handled: the stream goes on behind it. Default: from now on, beginning with `FOLLOWING`. */
  after?: string
  /** Only these types; signals always come. Default: all that the credential may read. */
  types?: readonly ChangeType[]
  /** A selection of GraphQL on what a change is about: `... on Contact { email } ... on Call { status }`. Default: its `__typename` alone. */
  entity?: string
  /** Ends the stream, which then throws the signal's reason. */
  signal?: AbortSignal
  /** Called when a connection is lost and will be opened again after `waitMs` milliseconds, with the reason. Default: nothing. */
  onReconnect?: (reason: RolocomError, waitMs: number) => void
  /** Default: the global `fetch`. */
  fetch?: Fetch
}

// A lost connection is opened again after up to 1 s, 2 s, ... 30 s: longer hides that the server is back, shorter floods it as it starts.
const firstWaitMs = 1000
const maxWaitMs = 30_000
// The server sends a heartbeat every 12 s. Three of them missed mean that the connection is dead, which TCP alone may not notice for hours.
const silenceMs = 40_000

/**
 * The changes of the organization in the order in which they were committed, from the server's stream `changes`. A lost connection is opened
 * again, without end, behind the last change, so that none is missed and none comes twice. After `READ_AFRESH`, which comes when too much was
 * missed, read again the data that you show. Keep the `id` of the last change you have handled, and begin with it as `after` in another process.
 * `Entity` is the type of the selection `entity`. Ends by `break` or `signal`. Throws a RolocomError where another attempt cannot help:
 * an invalid or ended credential, a missing scope, an invalid selection or `after`.
 */
export async function* follow<Entity = object>(options: FollowOptions): AsyncGenerator<Change<Entity>, void, undefined> {
  const { signal, onReconnect } = options
  let after = options.after
  for (let failures = 0; ; failures++) {
    let failure = noAnswerError('unreachable', 'The server has closed the stream', undefined)
    try {
      for await (const change of changesOf<Entity>(options, after)) {
        failures = 0
        after = change.id
        yield change
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof RolocomError) || !isPassing(error)) throw error
      failure = error
    }
    const waitMs = Math.max(waitOf(failures, firstWaitMs, maxWaitMs), (failure.retryAfterSeconds ?? 0) * 1000)
    onReconnect?.(failure, waitMs)
    await wait(waitMs, signal)
  }
}

// No answer, too many requests, or a server that is away or fails.
const isPassing = ({ status }: RolocomError) => status === null || status === 429 || status >= 500

/** The changes of one connection. Throws a RolocomError where it is refused or breaks. */
async function* changesOf<Entity>(options: FollowOptions, after: string | undefined): AsyncGenerator<Change<Entity>, void, undefined> {
  const { url, types, entity, signal, fetch = globalFetch } = options
  const leaving = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const restartSilence = () => {
    clearTimeout(timer)
    timer = setTimeout(() => leaving.abort(), silenceMs)
  }
  try {
    const headers = await credentialHeaders(options)
    headers.set('Accept', 'text/event-stream')
    headers.set('Content-Type', 'application/json')
    restartSilence()
    const response = await fetch(`${withoutEndSlash(new URL(url).href)}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query: changesDocument(entity), variables: { after, types } }),
      signal: AbortSignal.any([leaving.signal, ...(signal ? [signal] : [])]),
    })
    if (!response.ok || !response.body) throw refusalOf(response, parseData(await response.text()))
    for await (const { event, data } of serverEvents(response.body, restartSilence)) {
      if (event === 'complete') return
      const result = parseData(data)
      if (!isChange<Entity>(result)) throw refusalOf(response, result)
      // The reader of the changes may take longer than the server may be silent.
      clearTimeout(timer)
      yield result.data.changes
      restartSilence()
    }
  } catch (cause) {
    if (cause instanceof RolocomError) throw cause
    if (leaving.signal.aborted) throw noAnswerError('timed_out', `${url} was silent for ${silenceMs / 1000} s`, cause)
    throw noAnswerError('unreachable', `The stream of ${url} broke: ${reasonOf(cause)}`, cause)
  } finally {
    clearTimeout(timer)
    leaving.abort()
  }
}

/** The error of an answer that is no change: the first of GraphQL's errors, in the words of REST. */
function refusalOf(response: Response, body: unknown): RolocomError {
  const { errors } = (body ?? {}) as {
    errors?: { message: string; extensions?: { code?: string; status?: number; retryAfter?: number } }[]
  }
  const [error] = errors ?? []
  if (!error) return errorOf(response, body)
  const { code, status = response.status, retryAfter } = error.extensions ?? {}
  const headers = new Headers(response.headers)
  if (retryAfter !== undefined) headers.set('Retry-After', String(retryAfter))
  const { statusText } = response
  return errorOf({ status, statusText, headers }, { ...error.extensions, code: code?.toLowerCase(), message: error.message })
}

function parseData(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

// The subscription selects the members, and the caller knows what `entity` selects.
const isChange = <Entity>(result: unknown): result is { data: { changes: Change<Entity> } } =>
  typeof result === 'object' && result !== null && Boolean((result as { data?: { changes?: unknown } | null }).data?.changes)
