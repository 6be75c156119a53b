// A dialog over the page. Back and Esc close it.

import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { pieceWords } from '../../language/en/shared/pieces.ts'
import { useBack } from './use-back.ts'

interface DialogProps {
  isOpen: boolean
  onClose(): void
  title: string
  children: ReactNode
}

export function Dialog({ isOpen, onClose, title, children }: DialogProps) {
  useBack(isOpen, onClose)
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': pieceWords.close }}>
      {children}
    </Modal>
  )
}
