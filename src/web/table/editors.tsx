// Editors of cells: a text, or one of several values. Enter and Tab write, and Esc restores the value. An invalid value is not written, and a
// sentence says why. The list of values is loaded at its first use.

import { TextInput } from '@mantine/core'
import { type KeyboardEvent, lazy, useRef, useState } from 'react'
import { loadPart } from '../app/loaded.ts'
import { announce } from '../keyboard/announce.tsx'
import classes from './table.module.css'
import { type EditorOptions, type Ending, useEnding } from './use-ending.ts'

export const SelectEditor = lazy(() => loadPart(() => import('./select-editor.tsx')))

interface TextEditorOptions extends EditorOptions {
  value: string
  type?: 'text' | 'email' | 'tel' | 'url' | 'date'
  inputMode?: 'decimal' | 'numeric'
  /** The problem with a changed text; null when it may be written. */
  problemOf?: (text: string) => string | null
  /** Called only with a changed value. */
  onSave(value: string): void
}

export function TextEditor({ label, value, type = 'text', inputMode, problemOf, onDone, onSave, onRefused }: TextEditorOptions) {
  // Kept on purpose: React clears a `ref` when it removes the editor.
  const field = useRef<HTMLInputElement>(null)
  // The value as the input shows it, for example without line ends. A text that nobody has typed is not written.
  const shown = useRef(value)
  const [problem, setProblem] = useState<string | null>(null)
  const write = (ending: Ending): boolean => {
    const typed = field.current
    const text = typed?.value.trim() ?? value
    // A browser returns an empty text for half a date.
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
      // The editor handles Esc, so the panel around it must not.
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
