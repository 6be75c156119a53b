// The panel at the right: details beside the list, a full sheet on a phone. Its drawer is loaded when the first panel opens.

import { lazy } from 'react'
import { loadPart } from '../app/loaded.ts'
import { useBack } from './floating/use-back.ts'
import { OnceOpen } from './once-open.tsx'
import type { PanelProps } from './panel-drawer.tsx'

const PanelDrawer = lazy(() => loadPart(() => import('./panel-drawer.tsx')))

/** `isInAddress`: the address names the content, through `usePanelAddress`. Every other panel gets a history entry, so that Back closes it. */
export function Panel({ isInAddress = false, ...props }: PanelProps & { isInAddress?: boolean }) {
  useBack(props.isOpen && !isInAddress, props.onClose)
  return (
    <OnceOpen isOpen={props.isOpen}>
      <PanelDrawer {...props} />
    </OnceOpen>
  )
}
