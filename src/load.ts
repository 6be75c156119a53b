// Per-request dataloaders: one batch per nesting level, keyed by the batch function itself.

import DataLoader from 'dataloader'
import type { Context } from './context.ts'
import { ofEach } from './own.ts'

export type Batch<Key, Value> = (context: Context, keys: readonly Key[]) => Promise<readonly (Value | Error)[]>

const loadersOf = ofEach<Context, Map<unknown, DataLoader<never, unknown>>>(() => new Map())

/** Loads one value through the context's loader for this batch function. */
export function load<Key, Value>(context: Context, batch: Batch<Key, Value>, key: Key): Promise<Value> {
  const loaders = loadersOf(context)
  let loader = loaders.get(batch) as DataLoader<Key, Value> | undefined
  if (!loader) loaders.set(batch, (loader = new DataLoader<Key, Value>(keys => batch(context, keys))) as never)
  return loader.load(key)
}

/** The rows in the order of their keys, null where there is none: what a batch of single rows returns. */
export function inOrder<Row, Key>(keys: readonly Key[], rows: readonly Row[], keyOf: (row: Row) => Key): (Row | null)[] {
  const byKey = new Map(rows.map(row => [keyOf(row), row]))
  return keys.map(key => byKey.get(key) ?? null)
}

/** The rows grouped in the order of their keys: what a batch of lists returns. */
export function grouped<Row, Key>(keys: readonly Key[], rows: readonly Row[], keyOf: (row: Row) => Key): Row[][] {
  const groups = Map.groupBy(rows, keyOf)
  return keys.map(key => groups.get(key) ?? [])
}
