// Whether the server can be reached, by the stream of changes and the browser.

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

/** Calls `listener` when the server becomes reachable, the first time included. Failed queries can be sent again then. */
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

/** Writes are disabled while this is true: they would fail, and the data on the screen may be old. */
export const useIsAway = (): boolean => useConnectivity() === 'away'
