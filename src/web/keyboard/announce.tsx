// Announces changes to screen readers without interrupting them: "12 contacts", "Saved".

import { VisuallyHidden } from '@mantine/core'
import { useSyncExternalStore } from 'react'

let text = ''
const listeners = new Set<() => void>()

export function announce(sentence: string): void {
  // A screen reader announces a repeated sentence only if its text differs.
  text = sentence === text ? `${sentence}\u00a0` : sentence
  for (const listener of listeners) listener()
}

export function Announcements() {
  const sentence = useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => text,
  )
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {sentence}
    </VisuallyHidden>
  )
}
