// The panel at the right: details over the list, a full sheet on a phone. Its drawer is loaded when one is opened first.

import { useRouter } from '@tanstack/react-router'
import { lazy, useEffect, useRef } from 'react'
import { loaded } from '../app/loaded.ts'
import { newId } from '../data/new-id.ts'
import { OnceOpen } from './once-open.tsx'
import type { PanelProps } from './panel-drawer.tsx'

const PanelDrawer = lazy(() => loaded(() => import('./panel-drawer.tsx')))

/** `isInAddress`: the address names what is open, by `usePanelAddress`. Any other panel is closed by Back as well. */
export function Panel({ isInAddress = false, ...props }: PanelProps & { isInAddress?: boolean }) {
  useBack(props.isOpen && !isInAddress, props.onClose)
  return (
    <OnceOpen isOpen={props.isOpen}>
      <PanelDrawer {...props} />
    </OnceOpen>
  )
}

/** Adds an entry of the same address to the history while it is open. */
function useBack(isOpen: boolean, onClose: () => void): void {
  const { history } = useRouter()
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    if (!isOpen) return
    const panel = newId()
    const isHere = () => history.location.state.panel === panel
    history.push(history.location.href, { panel })
    const end = history.subscribe(({ action }) => {
      if ((action.type === 'BACK' || action.type === 'GO') && !isHere()) close.current()
    })
    return () => {
      end()
      // Where closing it leads to another page, that one has been entered by then.
      setTimeout(() => isHere() && history.back())
    }
  }, [isOpen, history])
}
