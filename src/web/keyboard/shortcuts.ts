// Keyboard shortcuts in one registry, so that `?` can list the shortcuts of the screen, and the palette can run them. None works while somebody
// types.

import { useHotkeys } from '@mantine/hooks'
import { useEffect, useRef, useSyncExternalStore } from 'react'

export interface Shortcut {
  /** A key of Mantine's `useHotkeys`: `mod+K`, `J`, `?`. Null for a verb that only the palette lists. */
  keys: string | null
  label: string
  /** Null for a key that belongs to the cell or row in focus: the palette does not list it. */
  run: (() => void) | null
}

const shortcuts = new Set<Shortcut>()
const listeners = new Set<() => void>()
let listed: readonly Shortcut[] = []

/** Registers a shortcut while the component is shown. With `isOn: false` the shortcut does nothing, and is not listed. */
export function useShortcut(keys: string, label: string, action: (() => void) | null, { isOn = true } = {}): void {
  const current = useRef(action)
  current.current = action
  const isRun = action !== null
  useEffect(() => (isOn ? list([{ keys, label, run: isRun ? () => current.current?.() : null }]) : undefined), [keys, label, isOn, isRun])
  // On some keyboards these characters need Shift.
  const pressed = /^[^a-z]$/i.test(keys) ? [keys, `shift+${keys}`] : [keys]
  const run = (event: KeyboardEvent) => {
    if (isTyping(event.target)) return
    event.preventDefault()
    action?.()
  }
  useHotkeys(isOn && action ? pressed.map(one => [one, run, { preventDefault: false }]) : [], [])
}

// Mantine would ignore checkboxes too, and one has the focus after a click on it.
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type="checkbox"], [type="radio"], [type="button"])'))

/** Lists verbs without a key in the palette, before the shortcuts. */
export function useVerbs(verbs: readonly { label: string; run(): void }[]): void {
  const current = useRef(verbs)
  current.current = verbs
  const labels = verbs.map(({ label }) => label).join('\n')
  useEffect(() => {
    if (labels === '') return
    return list(labels.split('\n').map((label, index) => ({ keys: null, label, run: () => current.current[index]?.run() })))
  }, [labels])
}

export const useShortcuts = (): readonly Shortcut[] =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => listed,
  )

/** Returns what takes them off the list. */
function list(added: readonly Shortcut[]): () => void {
  for (const one of added) shortcuts.add(one)
  tellListeners()
  return () => {
    for (const one of added) shortcuts.delete(one)
    tellListeners()
  }
}

function tellListeners(): void {
  listed = [...shortcuts]
  for (const listener of listeners) listener()
}
