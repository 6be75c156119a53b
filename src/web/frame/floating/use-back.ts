// Back closes a panel or dialog, and stays on the page.

import { type RouterHistory, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { newId } from '../../data/new-id.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The panel or dialog that added this entry, when the address does not name it. */
    panel?: string
  }
}

// The entry of a panel that has just closed. A panel that opens in the same moment takes over the entry: going back and then forward at once
// would end at a random entry.
let leaving: string | undefined

/** Adds a history entry with the same address while it is open. A link inside must say `replace`, so that it replaces this entry. */
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
      // If closing leads to another page, the router has already entered that page at this time.
      setTimeout(() => {
        if (leaving === panel) leaving = undefined
        if (here() === panel) goBack(history)
      })
    }
  }, [isOpen, history])
}

/** Goes back. The browser does so later, and a navigation in the meantime waits for it: otherwise going back would leave the new page. */
function goBack(history: RouterHistory): void {
  const isBack = new Promise<void>(resolve => window.addEventListener('popstate', () => resolve(), { once: true }))
  const unblock = history.block({ blockerFn: () => isBack.then(() => false), enableBeforeUnload: false })
  void isBack.then(unblock)
  history.back({ ignoreBlocker: true })
}
