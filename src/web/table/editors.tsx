// Editors of cells: a text, or one of several values. Enter and Tab write, Esc restores. The list of values is loaded at its first use.

import { TextInput } from '@mantine/core'
import { type KeyboardEvent, lazy, useRef } from 'react'
import classes from './table.module.css'

export const SelectEditor = lazy(() => import('./select-editor.tsx'))

export interface EditorOptions {
  label: string
  value: string
  onDone(goesTo: 'cell' | 'next'): void
  /** Called only for a value that differs. */
  onSave(value: string): void
}

interface TextEditorOptions extends EditorOptions {
  type?: 'text' | 'email' | 'tel' | 'url' | 'number' | 'date'
}

export function TextEditor({ label, value, type = 'text', onDone, onSave }: TextEditorOptions) {
  const isOver = useRef(false)
  const finish = (text: string, goesTo: 'cell' | 'next', isSaved: boolean) => {
    // Leaving the field follows from Enter and Esc, too.
    if (isOver.current) return
    isOver.current = true
    if (isSaved && text.trim() !== value) onSave(text.trim())
    onDone(goesTo)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    if (event.key !== 'Enter' && event.key !== 'Escape' && event.key !== 'Tab') return
    event.preventDefault()
    finish(event.currentTarget.value, event.key === 'Tab' ? 'next' : 'cell', event.key !== 'Escape')
  }
  return (
    <TextInput
      aria-label={label}
      type={type}
      step="any"
      size="xs"
      variant="unstyled"
      className={classes.editor}
      defaultValue={value}
      autoFocus
      onFocus={event => event.currentTarget.select()}
      onKeyDown={onKeyDown}
      onBlur={event => finish(event.currentTarget.value, 'cell', true)}
    />
  )
}
