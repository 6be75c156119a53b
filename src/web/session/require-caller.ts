// The guard of the app: a stranger is led to the sign-in, and comes back after it.

import { go } from '../address/go.ts'
import { currentCaller } from './caller.ts'

/** For `beforeLoad` of a route. For a stranger it never ends, because the app is left: nothing of the route is loaded or shown. */
export async function requireCaller(address: string): Promise<void> {
  if (currentCaller().kind !== 'stranger') return
  go(`/sign-in?${new URLSearchParams({ back: address })}`, { replace: true })
  await new Promise(() => {})
}
