// The members whom `@` may mean, below the text of a note. Arrows choose one, Enter or Tab takes it, Escape closes the list.

import { Paper, Text, UnstyledButton } from '@mantine/core'
import { type RefObject, useEffect, useState } from 'react'
import { useQuery } from 'urql'
import { OwnersToChooseDocument } from '../../generated/documents/contact-record-fields.ts'
import { announce } from '../../keyboard/announce.tsx'
import { recordWords } from '../../language/en/contact/record.ts'
import { byName } from '../../language/order.ts'
import classes from '../record.module.css'

/** Handles a key of the text; false for one that the text keeps. */
export type MentionKeys = (key: string) => boolean

interface MentionListProps {
  /** The text behind `@` so far. */
  typed: string
  keys: RefObject<MentionKeys | null>
  onPick(name: string): void
  onClose(): void
}

const most = 6

export default function MentionList({ typed, keys, onPick, onClose }: MentionListProps) {
  const [{ data }] = useQuery({ query: OwnersToChooseDocument })
  const [index, setIndex] = useState(0)
  const members = (data?.organization.members?.nodes ?? []).flatMap(({ user }) => (user ? [user] : []))
  const isShared = (name: string) => members.filter(other => other.name === name).length > 1
  // A name of two members would mention neither; an address is one's own.
  const found = members
    .flatMap(({ id, name, email }) => {
      const word = name !== null && !isShared(name) ? name : email
      return word === null ? [] : [{ id, word, text: `${name ?? ''} ${email ?? ''}`.toLowerCase() }]
    })
    .filter(({ text }) => text.includes(typed.toLowerCase()))
    .toSorted((one, other) => byName(one.word, other.word))
    .slice(0, most)
  const chosen = found[Math.min(index, found.length - 1)]

  useEffect(() => {
    keys.current = key => {
      if (key === 'Escape') onClose()
      else if (!chosen) return false
      else if (key === 'ArrowDown') setIndex(now => (now + 1) % found.length)
      else if (key === 'ArrowUp') setIndex(now => (now + found.length - 1) % found.length)
      else if (key === 'Enter' || key === 'Tab') onPick(chosen.word)
      else return false
      return true
    }
    return () => {
      keys.current = null
    }
  })
  const word = chosen?.word
  useEffect(() => {
    if (word !== undefined) announce(word)
  }, [word])

  if (found.length === 0) return null
  return (
    <Paper withBorder shadow="sm" role="listbox" aria-label={recordWords.mention}>
      {found.map(({ id, word }) => (
        <UnstyledButton
          key={id}
          role="option"
          aria-selected={id === chosen?.id}
          className={classes.mention}
          tabIndex={-1}
          onMouseDown={event => {
            // The text keeps the focus.
            event.preventDefault()
            onPick(word)
          }}
        >
          <Text size="sm">{word}</Text>
        </UnstyledButton>
      ))}
    </Paper>
  )
}
