// Searches while somebody types. Changes of the address do not replace the typed text.

import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useShortcut } from '../../keyboard/shortcuts.ts'
import { listWords } from '../../language/en/contact/list.ts'
import classes from './filters.module.css'

// Waits for a pause in the typing. A longer wait feels like a delay.
const typingMs = 80

export function SearchInput({ q, onChange }: { q: string; onChange(q: string | undefined): void }) {
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
  useShortcut('/', listWords.search.key, () => input.current?.focus())
  return (
    <TextInput
      ref={input}
      size="xs"
      className={classes.search}
      aria-label={listWords.search.label}
      placeholder={listWords.search.example}
      leftSection={<IconSearch size={14} />}
      rightSection={text && <CloseButton size="xs" aria-label={listWords.search.clear} onClick={() => type('')} />}
      value={text}
      onChange={event => type(event.currentTarget.value)}
    />
  )
}
