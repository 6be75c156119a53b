// Editors of cells: a text, or one of several values. Enter and Tab write, and Esc restores the value. An invalid value is not written, and a
// sentence says why. The list of values is loaded at its first use.

import { TextInput } from '@mantine/core'
import { type KeyboardEvent, lazy, useRef, useState } from 'react'
import { loadPart } from '../app/loaded.ts'
import { announce } from '../keyboard/announce.tsx'
import { tableWords } from '../language/en/frame.ts'
import { refusalText } from '../pieces/notices/refusal.tsx'
import classes from './table.module.css'
import { type EditorOptions, type Ending, type ShowRefusal, useEnding } from './use-ending.ts'

export const SelectEditor = lazy(() => loadPart(() => import('./select-editor.tsx')))

interface TextEditorOptions extends EditorOptions {
  value: string
  type?: 'text' | 'email' | 'tel' | 'url' | 'date'
  inputMode?: 'decimal' | 'numeric'
  /** The problem with a changed text; null when it may be written. */
  problemOf?: (text: string) => string | null
  /** Called only with a changed value. Resolves with false when `showRefusal` has shown that it was refused. */
  onSave(value: string, showRefusal: ShowRefusal): Promise<boolean>
}

export function TextEditor({ label, value, type = 'text', inputMode, problemOf, onDone, onSave, onRefused }: TextEditorOptions) {
  // Kept on purpose: React clears a `ref` when it removes the editor.
  const field = useRef<HTMLInputElement>(null)
  // The value as the input shows it, for example without line ends. A text that nobody has typed is not written.
  const shown = useRef(value)
  // Refused by the server. Leaving the field does not send it again.
  const refused = useRef<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const refuse = (sentence: string) => {
    setProblem(sentence)
    announce(sentence)
  }
  const write = (ending: Ending): boolean | Promise<boolean> => {
    const typed = field.current
    const text = typed?.value.trim() ?? value
    // A browser returns an empty text for half a date.
    const isHalf = type === 'date' && typed?.validity.badInput === true
    if ((text === value || text === shown.current.trim()) && !isHalf) return true
    const found = isHalf ? tableWords.halfDate(label) : (problemOf?.(text) ?? null)
    if (found === null) {
      if (ending === 'gone' && text === refused.current) return true
      return onSave(text, failure => {
        if (!isOpen()) return false
        refused.current = text
        refuse(refusalText(failure))
        return true
      })
    }
    if (ending === 'gone') onRefused(found)
    else refuse(found)
    return ending === 'gone'
  }
  const { finish, restore, isOpen, isWriting } = useEnding(write, onDone)
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
      readOnly={isWriting}
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
