// Parameters of the address that were dropped. Kept apart, because the address is rewritten without them before anything is shown.

import { useSyncExternalStore } from 'react'

// Addresses that somebody typed or kept: links of the app have only what their route knows.
const opened = { path: window.location.pathname, names: new Set(new URLSearchParams(window.location.search).keys()) }

let dropped: readonly string[] = []
const listeners = new Set<() => void>()

/** Parameters as `name=value`. */
export function noteDropped(given: readonly string[]): void {
  if (window.location.pathname !== opened.path) return
  const names = given.filter(one => opened.names.has(one.split('=', 1)[0] ?? ''))
  // Reading the rewritten address drops nothing, which does not mean that nothing was dropped.
  if (names.some(name => !dropped.includes(name))) change([...new Set([...dropped, ...names])])
}

/** Forgets these: they were read, or their place was left. */
export function dismissDropped(names: readonly string[]): void {
  // The same list again would be another array, and who shows it would dismiss it again, for ever.
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
  // The router reads addresses while it renders.
  queueMicrotask(() => {
    for (const listener of listeners) listener()
  })
}
