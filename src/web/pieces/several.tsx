// Several of the values that there are. The first that fits what is typed is highlighted, and Enter and Tab take it.

import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useState } from 'react'
import { takeByEnterOrTab, useFirstHighlighted } from '../keyboard/highlighted.ts'

export function Several<Value extends string>({ onSearchChange, ...props }: MultiSelectProps<Value>) {
  const [text, setText] = useState('')
  // With nothing typed nothing is meant: Tab goes on, and a second Enter takes nothing more.
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
