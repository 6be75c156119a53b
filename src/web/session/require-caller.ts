// Guards of routes: who may not be there is led elsewhere, and comes back after signing in.

import { redirect } from '@tanstack/react-router'
import { currentCaller } from './caller.ts'

export function requireCaller(address: string): void {
  if (currentCaller().kind === 'stranger') throw redirect({ to: '/sign-in', search: { back: address } })
}

/** For the pages of strangers: somebody who is signed in goes on to the address they came for. */
export function requireStranger(back = '/home'): void {
  if (currentCaller().kind !== 'stranger') throw redirect({ href: ownAddress(back) })
}

/** An address of this app; another site's, or a script, becomes the start page. */
export function ownAddress(address: string): string {
  const url = URL.parse(address, window.location.origin)
  return url?.origin === window.location.origin ? `${url.pathname}${url.search}${url.hash}` : '/home'
}
