// The type of a change in the stream, and the listeners in this tab.

import type { ChangesSubscription } from '../generated/operations.ts'

export type Change = ChangesSubscription['changes']

type Listener = (change: Change) => void

const listeners = new Set<Listener>()

/** Calls `listener` with every change that this tab receives. Returns a function that stops it. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Passes a change to all listeners. */
export function tellChange(change: Change): void {
  for (const listener of listeners) listener(change)
}
