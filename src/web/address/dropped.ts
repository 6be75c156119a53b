// Parameters that were dropped from the address. They are stored here, because the router rewrites the address before it shows anything.

import { useSyncExternalStore } from 'react'

// Only the address that opened the page may have unknown parameters: links of the app have none.
const opened = { path: window.location.pathname, names: new Set(new URLSearchParams(window.location.search).keys()) }

let dropped: readonly string[] = []
const listeners = new Set<() => void>()

/** Adds parameters, given as `name=value`. */
export function noteDropped(given: readonly string[]): void {
  if (window.location.pathname !== opened.path) return
  const names = given.filter(one => opened.names.has(one.split('=', 1)[0] ?? ''))
  // The rewritten address has no unknown parameters; reading it must not clear the list.
  if (names.some(name => !dropped.includes(name))) change([...new Set([...dropped, ...names])])
}

/** Removes these parameters from the list: the person has read the notice or left the place. */
export function dismissDropped(names: readonly string[]): void {
  // An unchanged list must stay the same array: a new array would make the notice dismiss it again, in an endless loop.
  if (names.some(name => dropped.includes(name))) change(dropped.filter(name => !names.includes(name)))
}

export const useDropped = (): readonly string[] =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => dropped,
  )

function change(names: readonly string[]): void {
  dropped = names
  // The router reads addresses while it renders, and React forbids updates at that time.
  queueMicrotask(() => {
    for (const listener of listeners) listener()
  })
}
