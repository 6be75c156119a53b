// The end of an editor: by a key, by leaving the field, or because the page removes the editor. Every end except Esc writes the typed text, so
// no text is lost silently.

import { useEffect, useRef, useState } from 'react'
import type { Failure } from '../data/failure.ts'

export interface EditorOptions {
  label: string
  onDone(goesTo: 'cell' | 'next'): void
  /** Tells why a typed text was not written, when the editor is already gone. */
  onRefused(problem: string): void
}

/** Shows a refusal of the server beside the typed text. Returns false when the editor is gone; then a notice tells it. */
export type ShowRefusal = (failure: Failure) => boolean

/** `stay`: the editor may show a problem and keep the text. `gone`: the editor closes in any case. */
export type Ending = 'stay' | 'gone'

/**
 * `write` writes the typed text. It returns false when it has refused the text and the editor stays open, or a promise of the same while the server
 * decides. Enter waits for it, so that a refusal stands beside the typed text. Tab and leaving the field do not wait.
 */
export function useEnding(write: (ending: Ending) => boolean | Promise<boolean>, onDone: (goesTo: 'cell' | 'next') => void) {
  const isOver = useRef(false)
  const [isWriting, setWriting] = useState(false)
  const latest = useRef({ write, onDone, isWriting })
  latest.current = { write, onDone, isWriting }

  const end = (goesTo: 'cell' | 'next') => {
    isOver.current = true
    latest.current.onDone(goesTo)
  }
  // Enter and Esc also cause a blur, so an editor may end twice.
  const finish = (goesTo: 'cell' | 'next', ending: Ending) => {
    if (isOver.current) return
    if (latest.current.isWriting) {
      if (ending === 'gone' || goesTo === 'next') end(goesTo)
      return
    }
    const written = latest.current.write(ending)
    if (written === false) return
    if (written === true || ending === 'gone' || goesTo === 'next') return end(goesTo)
    // At once: a blur may come before the next rendering.
    latest.current.isWriting = true
    setWriting(true)
    void written.then(isWritten => {
      setWriting(false)
      if (isWritten && !isOver.current) end(goesTo)
    })
  }
  const restore = () => {
    isOver.current = true
    onDone('cell')
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once; `finish` reads the present values.
  useEffect(() => {
    isOver.current = false
    const leave = () => finish('cell', 'gone')
    // The browser leaves or reloads the page.
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      if (!isOver.current && !latest.current.isWriting) latest.current.write('gone')
      isOver.current = true
    }
  }, [])
  return { finish, restore, isWriting, isOpen: () => !isOver.current }
}
