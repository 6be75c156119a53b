// Moments in forms: `datetime-local` inputs hold them in the viewer's zone.

import { fromZone, toZone } from '../words/zone.ts'

/** For the input; empty for none. */
export function toLocal(at: string | null): string {
  return at === null ? '' : toZone(new Date(at))
}

/** For the API; null for none. */
export const fromLocal = (text: string): string | null => (text === '' ? null : fromZone(text).toISOString())
