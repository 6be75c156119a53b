// The verbs of the page: what its shortcuts do, also for the chosen rows.

import { IconCornerDownRight } from '@tabler/icons-react'
import { useShortcuts } from '../keyboard/shortcuts.ts'
import type { PaletteEntry } from './entry.tsx'

// They belong to the frame: the palette is open, and the others are found by their key alone.
const ofFrame = new Set(['mod+K', '?', 'mod+B'])

/** Each runs after the palette has closed and its entry of the history is gone, as its key would. */
export function useVerbsHere(close: () => void): readonly PaletteEntry[] {
  const shortcuts = useShortcuts()
  // Verbs of the selection come first.
  const sorted = [...shortcuts.filter(({ keys }) => keys === null), ...shortcuts.filter(({ keys }) => keys !== null && !ofFrame.has(keys))]
  return sorted.flatMap(({ keys, label, run }) => {
    if (run === null) return []
    const entry = { id: `here ${label}`, label, icon: IconCornerDownRight, ...(keys !== null && { kind: keys.toUpperCase() }) }
    return {
      ...entry,
      run: () => {
        close()
        setTimeout(run, afterClosingMs)
      },
    }
  })
}

// Closing goes back in the history, which the browser does a moment later.
const afterClosingMs = 100
