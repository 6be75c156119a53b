// The type of a change in the stream, and the listeners in this tab.

import type { ChangesSubscription } from '../generated/operations.ts'

export type Change = ChangesSubscription['changes']

/** The ids of the objects whose pages show the change: its subject, and the records whose timelines show it. */
export const idsOf = ({ entityId, contactId, companyId, dealId, contact, deal }: Change): string[] =>
  [...new Set([entityId, contactId, companyId, dealId, contact?.companyId, deal?.companyId])].filter(id => id != null)

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
