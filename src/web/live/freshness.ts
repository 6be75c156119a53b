// Reads stale queries again: those on the screen at most once a second, others when they are shown next.

import { type Client, type Exchange, makeOperation, type Operation, type OperationResult } from '@urql/core'
import { map, pipe, tap } from 'wonka'
import { type Change, onChange } from './change.ts'
import { fieldsById, isAbout, staleFields } from './change-rules.ts'
import { onReturn } from './connectivity.ts'

// A busy organization has hundreds of changes a second; nobody reads sums that change more often.
const throttleMs = 1000
const everything = '*'

/** The exchange before the cache. It leaves pages of lists (`context.isPage`) to `useConnection`, which knows whether they are scrolled. */
export const freshnessExchange: Exchange = ({ client, forward }) => {
  const active = new Map<number, Operation>()
  // The time of the last request for each query.
  const askedAt = new Map<number, number>()
  // The time of the last request that the server has answered.
  const readAt = new Map<number, number>()
  // The time at which a root field became stale, by field, or by field and id for fields of one object.
  const staleAt = new Map<string, number>()
  const waiting = new Set<Operation['key']>()
  // Queries that failed because the server was away.
  const unanswered = new Set<Operation['key']>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const readWaiting = () => {
    timer = undefined
    if (waiting.size === 0) return
    timer = setTimeout(readWaiting, throttleMs)
    for (const key of waiting) reread(client, active.get(key))
    waiting.clear()
  }

  onChange(change => {
    const fields = staleFields(change)
    const now = Date.now()
    for (const field of fields === 'all' ? [everything] : fields) {
      if (!fieldsById.has(field)) staleAt.set(field, now)
      else for (const id of [change.entityId, change.contactId]) if (id) staleAt.set(`${field} ${id}`, now)
    }
    for (const [key, operation] of active) if (!operation.context.isPage && isStale(operation, fields, change)) waiting.add(key)
    // After the first change queries are read again at once, after later ones together.
    if (timer === undefined) timer = setTimeout(readWaiting, 0)
  })

  onReturn(() => {
    for (const key of unanswered) reread(client, active.get(key))
    unanswered.clear()
  })

  const refreshed = (operation: Operation): Operation => {
    const { kind, key, context } = operation
    if (kind === 'teardown') {
      active.delete(key)
      unanswered.delete(key)
    }
    if (kind !== 'query') return operation
    // The cache repeats a query that is on the screen at each change of its entities. The timer reads such a query again.
    const isShown = active.has(key)
    active.set(key, operation)
    const isCached = context.requestPolicy === 'cache-first'
    if (!isCached || !isShown) askedAt.set(key, Date.now())
    // The cache may also answer a query that was never sent, with an entity of another answer that is older than the change.
    const mayRead = isCached && !isShown && !context.isPage
    const wasStale = mayRead && keysOf(operation).some(field => (staleAt.get(field) ?? 0) > (readAt.get(key) ?? 0))
    return wasStale ? makeOperation(kind, operation, { ...context, requestPolicy: 'cache-and-network' }) : operation
  }

  // Only answers of the server count. `useQuery` asks twice as it begins, and of what the cache answers at first it ends the request.
  const noteAnswer = ({ operation: { kind, key, context }, error }: OperationResult) => {
    // Lists repeat their own pages: see data/use-connection.ts.
    if (kind === 'query' && error?.networkError && !context.isPage) unanswered.add(key)
    const outcome = context.meta?.cacheOutcome
    if (kind === 'query' && !error && outcome !== 'hit' && outcome !== 'partial') readAt.set(key, askedAt.get(key) ?? 0)
  }

  return operations => pipe(forward(pipe(operations, map(refreshed))), tap(noteAnswer))
}

function reread(client: Client, operation: Operation | undefined): void {
  if (operation)
    client.reexecuteOperation(makeOperation(operation.kind, operation, { ...operation.context, requestPolicy: 'network-only' }))
}

function isStale(operation: Operation, fields: readonly string[] | 'all', change: Change): boolean {
  if (fields === 'all') return true
  return rootFieldsOf(operation).some(field => fields.includes(field) && (!fieldsById.has(field) || isAbout(change, operation.variables)))
}

/** The keys of `staleAt` that concern the operation. */
function keysOf(operation: Operation): string[] {
  const ids = JSON.stringify(operation.variables ?? {}).match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi) ?? []
  return [everything, ...rootFieldsOf(operation).flatMap(field => (fieldsById.has(field) ? ids.map(id => `${field} ${id}`) : [field]))]
}

function rootFieldsOf({ query }: Operation): string[] {
  return query.definitions.flatMap(definition => {
    if (definition.kind !== 'OperationDefinition') return []
    return definition.selectionSet.selections.flatMap(selection => (selection.kind === 'Field' ? [selection.name.value] : []))
  })
}
