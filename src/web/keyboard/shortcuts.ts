// Keyboard shortcuts in one registry, so that `?` can list the shortcuts of the screen, and the palette can run them. None works while somebody
// types.

import { useHotkeys } from '@mantine/hooks'
import { useEffect, useRef, useSyncExternalStore } from 'react'

export interface Shortcut {
  /** A key of Mantine's `useHotkeys`: `mod+K`, `J`, `?`. */
  keys: string
  label: string
  run(): void
}

const shortcuts = new Set<Shortcut>()
const listeners = new Set<() => void>()
let listed: readonly Shortcut[] = []

/** Registers a shortcut while the component is shown. With `isOn: false` the shortcut does nothing, and is not listed. */
export function useShortcut(keys: string, label: string, action: () => void, { isOn = true } = {}): void {
  const current = useRef(action)
  current.current = action
  useEffect(() => {
    if (!isOn) return
    const shortcut = { keys, label, run: () => current.current() }
    shortcuts.add(shortcut)
    tellListeners()
    return () => {
      shortcuts.delete(shortcut)
      tellListeners()
    }
  }, [keys, label, isOn])
  // On some keyboards these characters need Shift.
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

function tellListeners(): void {
  listed = [...shortcuts]
  for (const listener of listeners) listener()
}
