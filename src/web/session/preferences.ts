// The person's preferences for the app. The server stores them, and this browser keeps a copy, so that the first screen is right.

import { useSyncExternalStore } from 'react'
import type { TableDensity } from '../generated/schema.ts'

export interface Kept {
  /** Null for the browser's zone. */
  timezone: string | null
  tableDensity: TableDensity
}

const key = 'rolocom.preferences'
const defaults: Kept = { timezone: null, tableDensity: 'COMFORTABLE' }
export const browsersZone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
const listeners = new Set<() => void>()

let kept = read()

export function keepPreferences(preferences: Kept | null): void {
  const { timezone, tableDensity } = preferences ?? defaults
  const next = { timezone: timezone !== null && isZone(timezone) ? timezone : null, tableDensity }
  if (next.timezone === kept.timezone && next.tableDensity === kept.tableDensity) return
  kept = next
  try {
    localStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // The browser forbids storage: the preferences last as long as the page.
  }
  for (const tell of listeners) tell()
}

/** The time zone for times and for daily figures. */
export const viewersZone = (): string => kept.timezone ?? browsersZone

export const useViewersZone = (): string => useSyncExternalStore(subscribe, viewersZone)
export const useTableDensity = (): TableDensity => useSyncExternalStore(subscribe, () => kept.tableDensity)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function read(): Kept {
  try {
    const { timezone, tableDensity } = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Kept>
    return {
      timezone: typeof timezone === 'string' && isZone(timezone) ? timezone : null,
      tableDensity: tableDensity === 'COMPACT' ? 'COMPACT' : 'COMFORTABLE',
    }
  } catch {
    return defaults
  }
}

// The server may know a zone that this browser does not know.
function isZone(timezone: string): boolean {
  try {
    return Intl.DateTimeFormat(undefined, { timeZone: timezone }) !== undefined
  } catch {
    return false
  }
}
