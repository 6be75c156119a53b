// The drawer of the panel: Esc closes it, and the focus returns to its former place.

import { Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { frameWords } from '../language/en/frame.ts'

export interface PanelProps {
  isOpen: boolean
  onClose(): void
  title: ReactNode
  /** A form takes the focus, traps it, and gives it back. Details leave the focus in the list beside them. */
  isForm?: boolean
  children: ReactNode
}

export default function PanelDrawer({ isOpen, onClose, title, isForm = false, children }: PanelProps) {
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title={title}
      position={isPhone ? 'bottom' : 'right'}
      size={isPhone ? '100%' : 'var(--rc-panel-width)'}
      // On a wide screen the list beside the panel stays usable: its arrow keys select the next row.
      withOverlay={isPhone}
      lockScroll={isPhone}
      trapFocus={isPhone || isForm}
      closeOnClickOutside={false}
      shadow="md"
      closeButtonProps={{ 'aria-label': frameWords.closePanel }}
    >
      {children}
    </Drawer>
  )
}
