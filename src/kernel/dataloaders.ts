// Per-request dataloaders: one batch per nesting level and batch function.

import DataLoader from 'dataloader'
import type { Context } from './context.ts'
import { perObject } from './per-object.ts'

export type Batch<Key, Value> = (context: Context, keys: readonly Key[]) => Promise<readonly (Value | Error)[]>

const loadersOf = perObject<Context, Map<unknown, DataLoader<never, unknown>>>(() => new Map())

/**
 * Loads one value through the context's loader for this batch function. A batch function that depends on arguments of the field is created
 * for each field and needs a `name`, which is equal for equal arguments.
 */
export function load<Key, Value>(context: Context, batch: Batch<Key, Value>, key: Key, name?: string): Promise<Value> {
  const loaders = loadersOf(context)
  let loader = loaders.get(name ?? batch) as DataLoader<Key, Value> | undefined
  if (!loader) loaders.set(name ?? batch, (loader = new DataLoader<Key, Value>(keys => batch(context, keys))) as never)
  return loader.load(key)
}

/**
 * A batch function with a loader of its own, for rows that were just written. The loader of `batch` may have cached their state before the
 * write, for an earlier mutation of the same request.
 */
export const withOwnLoader =
  <Key, Value>(batch: Batch<Key, Value>): Batch<Key, Value> =>
  (context, keys) =>
    batch(context, keys)

/** The result of a batch of single rows: the rows in the order of their keys, null for a key without a row. */
export function inOrder<Row, Key>(keys: readonly Key[], rows: readonly Row[], keyOf: (row: Row) => Key): (Row | null)[] {
  const byKey = new Map(rows.map(row => [keyOf(row), row]))
  return keys.map(key => byKey.get(key) ?? null)
}

/** The result of a batch of lists: the rows of each key, in the order of the keys. */
export function grouped<Row, Key>(keys: readonly Key[], rows: readonly Row[], keyOf: (row: Row) => Key): Row[][] {
  const groups = Map.groupBy(rows, keyOf)
  return keys.map(key => groups.get(key) ?? [])
}
