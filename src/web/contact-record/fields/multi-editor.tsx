// Edits a cell of several values. Enter adds one, and writes when nothing is typed; Esc restores.

import { TagsInput } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import classes from '../../table/table.module.css'

interface MultiEditorProps {
  label: string
  value: readonly string[]
  /** What may be chosen; others can be typed unless `isClosed`. */
  options: readonly string[]
  isClosed?: boolean
  onDone(goesTo: 'cell' | 'next'): void
  onSave(value: string[]): void
  onSearch?(text: string): void
}

export default function MultiEditor({ label, value, options, isClosed = false, onDone, onSave, onSearch }: MultiEditorProps) {
  const [values, setValues] = useState([...value])
  const [text, setText] = useState('')
  const isOver = useRef(false)
  const finish = (goesTo: 'cell' | 'next', isSaved: boolean) => {
    if (isOver.current) return
    isOver.current = true
    if (isSaved && values.join('\n') !== value.join('\n')) onSave(values)
    onDone(goesTo)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    if (event.key === 'Escape') finish('cell', false)
    else if (event.key === 'Tab') {
      event.preventDefault()
      finish('next', true)
    } else if (event.key === 'Enter' && text === '' && !event.currentTarget.getAttribute('aria-activedescendant')) finish('cell', true)
  }
  return (
    <TagsInput
      aria-label={label}
      size="xs"
      className={classes.multi}
      data={[...options]}
      value={values}
      onChange={next => setValues(isClosed ? next.filter(one => options.includes(one)) : next)}
      searchValue={text}
      onSearchChange={next => {
        setText(next)
        onSearch?.(next)
      }}
      autoFocus
      defaultDropdownOpened
      comboboxProps={{ shadow: 'md' }}
      onKeyDown={onKeyDown}
      onBlur={() => finish('cell', true)}
    />
  )
}
