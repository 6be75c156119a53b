// Keyboard shortcuts: one registry, so that `?` can list those of the screen. None fires while somebody types.

import { useHotkeys } from '@mantine/hooks'
import { useEffect, useSyncExternalStore } from 'react'

export interface Shortcut {
  /** As Mantine's `useHotkeys` reads it: `mod+K`, `J`, `?`. */
  keys: string
  label: string
}

const shortcuts = new Set<Shortcut>()
const listeners = new Set<() => void>()
let listed: readonly Shortcut[] = []

/** Registers a shortcut while the component is shown. `isOn: false` keeps it listed nowhere and doing nothing. */
export function useShortcut(keys: string, label: string, action: () => void, { isOn = true } = {}): void {
  useEffect(() => {
    if (!isOn) return
    const shortcut = { keys, label }
    shortcuts.add(shortcut)
    changed()
    return () => {
      shortcuts.delete(shortcut)
      changed()
    }
  }, [keys, label, isOn])
  // Where a character is typed with Shift depends on the keyboard.
  const pressed = /^[^a-z]$/i.test(keys) ? [keys, `shift+${keys}`] : [keys]
  useHotkeys(isOn ? pressed.map(one => [one, action]) : [])
}

export const useShortcuts = (): readonly Shortcut[] =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => listed,
  )

function changed(): void {
  listed = [...shortcuts]
  for (const listener of listeners) listener()
}
