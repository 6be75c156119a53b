// Searches while somebody types. Changes of the address do not replace the typed text.

import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useShortcut } from '../keyboard/shortcuts.ts'
import { tableWords } from '../language/en/frame.ts'
import classes from './search-input.module.css'

// Waits for a pause in the typing. A longer wait feels like a delay.
const typingMs = 80

interface SearchInputProps {
  q: string
  label: string
  /** The searched fields, such as "Name or domain". */
  example: string
  onChange(q: string | undefined): void
}

export function SearchInput({ q, label, example, onChange }: SearchInputProps) {
  const [text, setText] = useState(q)
  const input = useRef<HTMLInputElement>(null)
  const search = useDebouncedCallback((value: string) => onChange(value.trim() || undefined), typingMs)
  // Back or a saved view has changed the address.
  useEffect(() => {
    if (document.activeElement !== input.current) setText(q)
  }, [q])
  const type = (value: string) => {
    setText(value)
    search(value)
  }
  useShortcut('/', tableWords.search, () => input.current?.focus())
  return (
    <TextInput
      ref={input}
      size="xs"
      className={classes.search}
      aria-label={label}
      placeholder={example}
      leftSection={<IconSearch size={14} />}
      rightSection={text && <CloseButton size="xs" aria-label={tableWords.clearSearch} onClick={() => type('')} />}
      value={text}
      onChange={event => type(event.currentTarget.value)}
    />
  )
}
