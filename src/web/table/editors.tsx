// Editors of cells: a text, or one of several values. Enter and Tab write, Esc restores, and so does what cannot be written, with a sentence.
// The list of values is loaded at its first use.

import { TextInput } from '@mantine/core'
import { type KeyboardEvent, lazy, useRef, useState } from 'react'
import { loaded } from '../app/loaded.ts'
import { announce } from '../keyboard/announce.tsx'
import classes from './table.module.css'
import { type EditorOptions, type Ending, useEnding } from './use-ending.ts'

export const SelectEditor = lazy(() => loaded(() => import('./select-editor.tsx')))

interface TextEditorOptions extends EditorOptions {
  value: string
  type?: 'text' | 'email' | 'tel' | 'url' | 'date'
  inputMode?: 'decimal'
  /** What is wrong with a text that differs; null for what may be written. */
  problemOf?: (text: string) => string | null
  /** Called only for a value that differs. */
  onSave(value: string): void
}

export function TextEditor({ label, value, type = 'text', inputMode, problemOf, onDone, onSave, onRefused }: TextEditorOptions) {
  // Kept when the editor is taken off the page, which clears a `ref`.
  const field = useRef<HTMLInputElement>(null)
  // The value as the field has it: without its line ends, for example. What nobody has typed is not written.
  const shown = useRef(value)
  const [problem, setProblem] = useState<string | null>(null)
  const write = (ending: Ending): boolean => {
    const typed = field.current
    const text = typed?.value.trim() ?? value
    // Half a date reads as none at all.
    const isHalf = type === 'date' && typed?.validity.badInput === true
    if ((text === value || text === shown.current.trim()) && !isHalf) return true
    const found = isHalf ? `${label} takes a whole date. Complete it, or clear all of it.` : (problemOf?.(text) ?? null)
    if (found === null) onSave(text)
    else if (ending === 'gone') onRefused(found)
    else {
      setProblem(found)
      announce(found)
      return false
    }
    return true
  }
  const { finish, restore } = useEnding(write, onDone)
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    if (event.key !== 'Enter' && event.key !== 'Escape' && event.key !== 'Tab') return
    event.preventDefault()
    if (event.key === 'Escape') restore()
    else finish(event.key === 'Tab' ? 'next' : 'cell', 'stay')
  }
  return (
    <TextInput
      aria-label={label}
      type={type}
      inputMode={inputMode}
      max={type === 'date' ? '9999-12-31' : undefined}
      size="xs"
      variant="unstyled"
      className={classes.editor}
      classNames={{ error: classes.problem }}
      defaultValue={value}
      error={problem}
      autoFocus
      // Esc is the editor's, not that of the panel around it.
      data-mantine-stop-propagation="true"
      onFocus={event => {
        if (field.current === null) shown.current = event.currentTarget.value
        field.current = event.currentTarget
        event.currentTarget.select()
      }}
      onChange={() => setProblem(null)}
      onKeyDown={onKeyDown}
      onBlur={() => finish('cell', 'gone')}
    />
  )
}
