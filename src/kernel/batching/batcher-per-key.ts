// A batcher for each of many keys, such as organizations, kept only while something is being sent for its key.

import { batcher } from '../../database/batcher.ts'

export interface BatcherPerKey<Key, Item, Result> {
  /** Sends the item together with others of its key. See `batcher`. */
  send(key: Key, item: Item): Promise<Result>
}

/** `concurrency`: the number of batches of one key at once. */
export function batcherPerKey<Key, Item, Result>(
  send: (key: Key, items: readonly Item[]) => Promise<readonly Result[]>,
  options: { concurrency?: number } = {},
): BatcherPerKey<Key, Item, Result> {
  const batchers = new Map<Key, { add(item: Item): Promise<Result>; underway: number }>()
  return {
    async send(key, item) {
      let known = batchers.get(key)
      if (!known) batchers.set(key, (known = { add: batcher<Item, Result>(items => send(key, items), options), underway: 0 }))
      known.underway++
      try {
        return await known.add(item)
      } finally {
        known.underway--
        if (known.underway === 0) batchers.delete(key)
      }
    },
  }
}
