// Moments in forms. `datetime-local` inputs hold them in the viewer's zone.

import { fromZone, toZone } from '../language/zone.ts'

/** For an input; empty for null. */
export function toLocal(at: string | null): string {
  return at === null ? '' : toZone(new Date(at))
}

/** For the API; null for an empty text. */
export const fromLocal = (text: string): string | null => (text === '' ? null : fromZone(text).toISOString())
