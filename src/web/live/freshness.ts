// Reads stale queries again: visible ones at most once a second, others when they are shown next.

import { type Client, type Exchange, makeOperation, type Operation, type OperationResult } from '@urql/core'
import { map, pipe, tap } from 'wonka'
import { type Change, idsOf, onChange } from './change.ts'
import { fieldsById, isAbout, staleFields } from './change-rules.ts'
import { onReturn } from './connectivity.ts'

// A busy organization has hundreds of changes a second, and nobody can read sums that change faster.
const throttleMs = 1000
const everything = '*'

/** Runs before the cache. Leaves out pages of `useConnection` (`context.isPage`), which reads its own pages by the scroll position. */
export const freshnessExchange: Exchange = ({ client, forward }) => {
  const active = new Map<number, Operation>()
  // The time of the last request for each query.
  const askedAt = new Map<number, number>()
  // The send time of each answered query.
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
      else for (const id of idsOf(change)) staleAt.set(`${field} ${id}`, now)
    }
    for (const [key, operation] of active) if (!operation.context.isPage && isStale(operation, fields, change)) waiting.add(key)
    // The first change is read at once. Changes within the next second are read together.
    if (timer === undefined) timer = setTimeout(readWaiting, 0)
  })

  onReturn(() => {
    for (const key of unanswered) reread(client, active.get(key))
    unanswered.clear()
  })

  const refreshIfStale = (operation: Operation): Operation => {
    const { kind, key, context } = operation
    if (kind === 'teardown') {
      active.delete(key)
      unanswered.delete(key)
    }
    if (kind !== 'query') return operation
    // After each change the cache executes visible queries again. That must not read: the timer does.
    const isShown = active.has(key)
    active.set(key, operation)
    const isCached = context.requestPolicy === 'cache-first'
    if (!isCached || !isShown) askedAt.set(key, Date.now())
    // The cache may also answer a query that was never read, with an older entity from another answer.
    const mayRead = isCached && !isShown && !context.isPage
    const wasStale = mayRead && keysOf(operation).some(field => (staleAt.get(field) ?? 0) > (readAt.get(key) ?? 0))
    return wasStale ? makeOperation(kind, operation, { ...context, requestPolicy: 'cache-and-network' }) : operation
  }

  // Only answers of the server count. `useQuery` starts twice: the cache may answer the first execution, and its request is then canceled.
  const noteAnswer = ({ operation: { kind, key, context }, error }: OperationResult) => {
    // Lists read their own pages again.
    if (kind === 'query' && error?.networkError && !context.isPage) unanswered.add(key)
    const outcome = context.meta?.cacheOutcome
    if (kind === 'query' && !error && outcome !== 'hit' && outcome !== 'partial') readAt.set(key, askedAt.get(key) ?? 0)
  }

  return operations => pipe(forward(pipe(operations, map(refreshIfStale))), tap(noteAnswer))
}

function reread(client: Client, operation: Operation | undefined): void {
  if (operation)
    client.reexecuteOperation(makeOperation(operation.kind, operation, { ...operation.context, requestPolicy: 'network-only' }))
}

function isStale(operation: Operation, fields: readonly string[] | 'all', change: Change): boolean {
  if (fields === 'all') return true
  return rootFieldsOf(operation).some(field => fields.includes(field) && (!fieldsById.has(field) || isAbout(change, operation.variables)))
}

/** The keys of `staleAt` that concern this operation. */
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
