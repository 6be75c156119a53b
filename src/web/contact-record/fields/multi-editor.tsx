// Edits a cell of several values. Enter and a comma add one. Enter without text, Tab and leaving the field write; Esc restores.

import { TagsInput } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { announce } from '../../keyboard/announce.tsx'
import { highlightedOption } from '../../keyboard/highlighted.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { refusalText } from '../../pieces/notices/refusal.tsx'
import classes from '../../table/table.module.css'
import { type EditorOptions, type Ending, type ShowRefusal, useEnding } from '../../table/use-ending.ts'

interface MultiEditorProps extends EditorOptions {
  value: readonly string[]
  /** Values to choose from. Other values can be typed unless `isClosed`. */
  options: readonly string[]
  isClosed?: boolean
  /** Resolves with false when `showRefusal` has shown that the values were refused. */
  onSave(value: string[], showRefusal: ShowRefusal): Promise<boolean>
  onSearch?(text: string): void
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

export default function MultiEditor({ label, value, options, isClosed = false, onDone, onSave, onRefused, onSearch }: MultiEditorProps) {
  const [values, setValues] = useState<readonly string[]>(value)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  // Refused by the server. Leaving the field does not send them again.
  const refusedBefore = useRef<string | null>(null)

  const refusal = (words: readonly string[]) => contactWords.record.notOneOf(words.join(', '), label)
  /** The values with the typed ones, and a sentence about typed words that are not allowed. */
  const addTyped = (typed: string) => {
    const words = typed.split(',').flatMap(word => word.trim() || [])
    const known = words.map(word => options.find(option => isSame(option, word)) ?? (isClosed ? null : word))
    const all = [...values]
    for (const word of known) if (word !== null && !all.some(one => isSame(one, word))) all.push(word)
    const refused = words.filter((_word, index) => known[index] === null)
    return { all, refused: refused.length > 0 ? refusal(refused) : null }
  }
  const change = (next: readonly string[], typed: string) => {
    setValues(next)
    setText(typed)
    onSearch?.(typed)
  }
  const refuse = (sentence: string) => {
    setProblem(sentence)
    announce(sentence)
  }
  const add = (typed: string) => {
    const { all, refused } = addTyped(typed)
    if (refused) refuse(refused)
    else change(all, '')
  }
  const write = (ending: Ending): boolean | Promise<boolean> => {
    const { all, refused } = addTyped(text)
    if (refused && ending === 'stay') {
      refuse(refused)
      return false
    }
    if (refused) onRefused(refused)
    const given = all.join('\n')
    if (given === value.join('\n') || (ending === 'gone' && given === refusedBefore.current)) return true
    return onSave([...all], failure => {
      if (!isOpen()) return false
      refusedBefore.current = given
      refuse(refusalText(failure))
      return true
    })
  }
  const { finish, restore, isOpen, isWriting } = useEnding(write, onDone)

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const option = highlightedOption()
    if (event.key === 'Escape') return restore()
    if (event.key === 'Tab') {
      event.preventDefault()
      if (option) flushSync(() => option.click())
      finish('next', 'stay')
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (option) option.click()
      else if (text.trim() === '') finish('cell', 'stay')
      else add(text)
    } else if (event.key === ',') {
      event.preventDefault()
      add(text)
    }
  }
  return (
    <TagsInput
      aria-label={label}
      size="xs"
      classNames={{ error: classes.problem }}
      data={[...options]}
      value={[...values]}
      onChange={next => {
        // Pasted words also arrive here, before the search text is cleared.
        const known = next.map(one =>
          values.includes(one) ? one : (options.find(option => isSame(option, one)) ?? (isClosed ? null : one)),
        )
        const others = next.filter((_one, index) => known[index] === null)
        if (others.length > 0) onRefused(refusal(others))
        setValues([...new Set(known.filter(one => one !== null))])
      }}
      searchValue={text}
      onSearchChange={typed => {
        setProblem(null)
        setText(typed)
        onSearch?.(typed)
      }}
      error={problem}
      readOnly={isWriting}
      acceptValueOnBlur={false}
      autoFocus
      defaultDropdownOpened
      comboboxProps={{ shadow: 'md' }}
      onKeyDown={onKeyDown}
      onBlur={() => finish('cell', 'gone')}
    />
  )
}
