// Chooses the contact to call, by a part of the name. Only contacts with a number are found.

import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useQuery } from 'urql'
import { ContactsToCallDocument } from '../generated/documents/call-form.ts'
import type { ContactsToCallQuery } from '../generated/operations.ts'
import { callFormWords } from '../language/en/screens/call-form.ts'
import { pieceWords } from '../language/en/shared/pieces.ts'

type Found = ContactsToCallQuery['contacts']['nodes'][number]

interface ContactSelectProps {
  onChoose(contact: Found | null): void
}

const typingMs = 120
const nameOf = ({ fullName, email, phone }: Found) => fullName ?? email ?? phone ?? ''

export function ContactSelect({ onChoose }: ContactSelectProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text, typingMs)
  const [{ data, fetching }] = useQuery({ query: ContactsToCallDocument, variables: { q } })
  const found = data?.contacts.nodes ?? []
  return (
    <Select
      label={callFormWords.contact}
      placeholder={callFormWords.contactHint}
      searchable
      clearable
      // The form comes after the panel has chosen its focus.
      autoFocus
      data={found.map(one => ({ value: one.id, label: [nameOf(one), one.companyName].filter(Boolean).join(', ') }))}
      // The server has searched.
      filter={({ options }) => options}
      value={chosen}
      onChange={value => {
        setChosen(value)
        onChoose(found.find(({ id }) => id === value) ?? null)
      }}
      // Mantine would empty the input whenever other contacts are found.
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={fetching ? pieceWords.searching : callFormWords.noContact}
    />
  )
}
