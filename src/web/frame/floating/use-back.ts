// What floats over a page is closed by Back, which stays on the page.

import { type RouterHistory, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { newId } from '../../data/new-id.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The panel or dialog that has added this entry, where the address does not name it. */
    panel?: string
  }
}

// The entry that is about to be taken away. What is opened by what closes takes it over: going back and forward at once ends anywhere.
let leaving: string | undefined

/** Adds an entry of the same address to the history while it is open. A link in it says `replace`, and takes the place of this entry. */
export function useBack(isOpen: boolean, onClose: () => void): void {
  const { history } = useRouter()
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    if (!isOpen) return
    const panel = newId()
    const here = () => history.location.state.panel
    const isTakenOver = leaving !== undefined && here() === leaving
    history[isTakenOver ? 'replace' : 'push'](history.location.href, { panel })
    const end = history.subscribe(({ action }) => {
      if ((action.type === 'BACK' || action.type === 'GO') && here() !== panel) close.current()
    })
    return () => {
      end()
      leaving = panel
      // If closing leads to another page, the history has that page before the timer ends.
      setTimeout(() => {
        if (leaving === panel) leaving = undefined
        if (here() === panel) goBack(history)
      })
    }
  }, [isOpen, history])
}

/** Goes back. The browser does that later: what leads elsewhere meanwhile waits, or it would be left again. */
function goBack(history: RouterHistory): void {
  const isBack = new Promise<void>(resolve => window.addEventListener('popstate', () => resolve(), { once: true }))
  const unblock = history.block({ blockerFn: () => isBack.then(() => false), enableBeforeUnload: false })
  void isBack.then(unblock)
  history.back({ ignoreBlocker: true })
}
