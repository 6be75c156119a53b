// The end of an editor: by a key, by leaving the field, or because the page removes the editor. Every end except Esc writes the typed text, so
// no text is lost silently.

import { useEffect, useRef } from 'react'

export interface EditorOptions {
  label: string
  onDone(goesTo: 'cell' | 'next'): void
  /** Tells why a typed text was not written, when the editor is already gone. */
  onRefused(problem: string): void
}

/** `stay`: the editor may show a problem and keep the text. `gone`: the editor closes in any case. */
export type Ending = 'stay' | 'gone'

/** `write` writes the typed text. It returns false when it has refused the text and the editor stays open. */
export function useEnding(write: (ending: Ending) => boolean, onDone: (goesTo: 'cell' | 'next') => void) {
  const isOver = useRef(false)
  const latest = useRef({ write, onDone })
  latest.current = { write, onDone }

  // Enter and Esc also cause a blur, so an editor may end twice.
  const finish = (goesTo: 'cell' | 'next', ending: Ending) => {
    if (isOver.current || !latest.current.write(ending)) return
    isOver.current = true
    latest.current.onDone(goesTo)
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
      if (!isOver.current) latest.current.write('gone')
    }
  }, [])
  return { finish, restore }
}
