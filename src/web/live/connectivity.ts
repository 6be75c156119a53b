// Whether the server can be reached, as far as the stream of changes and the browser know.

import { useSyncExternalStore } from 'react'

export type Connectivity = 'live' | 'connecting' | 'away'

let streamState: Connectivity = 'connecting'
const listeners = new Set<() => void>()
const returnListeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

window.addEventListener('online', tell)
window.addEventListener('offline', tell)

export function reportStream(state: Connectivity): void {
  if (state === streamState) return
  streamState = state
  tell()
  if (state === 'live') for (const listener of returnListeners) listener()
}

/** Calls the listener when the server is reached, for the first time or again, so that failed requests can be repeated. */
export function onReturn(listener: () => void): () => void {
  returnListeners.add(listener)
  return () => returnListeners.delete(listener)
}

const connectivity = (): Connectivity => (navigator.onLine ? streamState : 'away')

export const useConnectivity = (): Connectivity =>
  useSyncExternalStore(listener => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, connectivity)

/** Whether the server is away. Writes are disabled then: they would fail, and the shown data may be old. */
export const useIsAway = (): boolean => useConnectivity() === 'away'
