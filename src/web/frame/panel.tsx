// The panel at the right: details over the list, a full sheet on a phone. Its drawer is loaded when one is opened first.

import { lazy } from 'react'
import { OnceOpen } from './once-open.tsx'
import type { PanelProps } from './panel-drawer.tsx'

const PanelDrawer = lazy(() => import('./panel-drawer.tsx'))

export function Panel(props: PanelProps) {
  return (
    <OnceOpen isOpen={props.isOpen}>
      <PanelDrawer {...props} />
    </OnceOpen>
  )
}
