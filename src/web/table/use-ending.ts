// How an editor ends: by a key, by leaving the field, or because it is taken off the page with what is around it. What was typed is written
// each time but after Esc: no way out of an editor loses it without a word.

import { useEffect, useRef } from 'react'

export interface EditorOptions {
  label: string
  onDone(goesTo: 'cell' | 'next'): void
  /** Says why what was typed was not written, when the editor is no longer there to say it. */
  onRefused(problem: string): void
}

/** `stay`: the editor can say what is wrong and keep the text. `gone`: it is left whatever it says. */
export type Ending = 'stay' | 'gone'

/** `write` writes what was typed, and returns false where it has refused it and the editor stays. */
export function useEnding(write: (ending: Ending) => boolean, onDone: (goesTo: 'cell' | 'next') => void) {
  const isOver = useRef(false)
  const latest = useRef({ write, onDone })
  latest.current = { write, onDone }

  // Leaving the field follows from Enter and Esc, too.
  const finish = (goesTo: 'cell' | 'next', ending: Ending) => {
    if (isOver.current || !latest.current.write(ending)) return
    isOver.current = true
    latest.current.onDone(goesTo)
  }
  const restore = () => {
    isOver.current = true
    onDone('cell')
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; `finish` reads what is current.
  useEffect(() => {
    isOver.current = false
    const leave = () => finish('cell', 'gone')
    // The whole page is left, or loaded again.
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      if (!isOver.current) latest.current.write('gone')
    }
  }, [])
  return { finish, restore }
}
