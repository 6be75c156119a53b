// Moves between the pages before the app, into the app and out of it, without loading the document again. Within the app the router moves.

import { type MouseEvent, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
window.addEventListener('popstate', tell)

/** Shows another address of this app. */
export function go(address: string, { replace = false } = {}): void {
  if (replace) window.history.replaceState(null, '', address)
  else {
    window.history.pushState(null, '', address)
    window.scrollTo(0, 0)
  }
  tell()
}

/** The whole address. Moves by the router within the app do not update it. */
export const useAddress = (): string => useSyncExternalStore(subscribe, () => window.location.href)

/** The properties of a link to the address. `then` runs after each click, also when the link opens in another tab. */
export const linkTo = (address: string, then?: () => void) => ({
  href: address,
  onClick(event: MouseEvent) {
    const opensElsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (!opensElsewhere) {
      event.preventDefault()
      go(address)
    }
    then?.()
  },
})

/** An address of this app. An address of another site, or a script, becomes the start page. */
export function ownAddress(address: string): string {
  const url = URL.parse(address, window.location.origin)
  return url?.origin === window.location.origin ? `${url.pathname}${url.search}${url.hash}` : '/home'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell(): void {
  for (const listener of listeners) listener()
}
