// An input for several of the given values. The first match of the typed text is highlighted, and Enter and Tab choose it.

import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useState } from 'react'
import { takeByEnterOrTab, useFirstHighlighted } from '../keyboard/highlighted.ts'
import { optionsOf } from '../language/values.ts'

export function Several<Value extends string>({ onSearchChange, ...props }: MultiSelectProps<Value>) {
  const [text, setText] = useState('')
  // Without a text no option is highlighted: Tab moves on, and a second Enter chooses nothing.
  const isTyped = text.trim() !== ''
  useFirstHighlighted(isTyped)
  return (
    <MultiSelect
      searchable
      searchValue={text}
      onSearchChange={typed => {
        setText(typed)
        onSearchChange?.(typed)
      }}
      selectFirstOptionOnChange={isTyped}
      onKeyDown={takeByEnterOrTab}
      {...props}
    />
  )
}

interface AnyOfProps<Value extends string> {
  label: string
  /** "Any status" */
  placeholder: string
  /** The words of the values. */
  words: Readonly<Record<Value, string>>
  chosen: readonly Value[] | undefined
  onChoose(chosen: Value[] | undefined): void
}

/** A filter by some values of an enumeration. */
export const AnyOf = <Value extends string>({ label, placeholder, words, chosen, onChoose }: AnyOfProps<Value>) => (
  <Several
    size="xs"
    miw={140}
    maw={320}
    flex={{ base: '1 1 120px', sm: 'none' }}
    aria-label={label}
    placeholder={chosen ? undefined : placeholder}
    data={optionsOf(words)}
    value={[...(chosen ?? [])]}
    onChange={next => onChoose(next.length > 0 ? next : undefined)}
    clearable
  />
)
