// Chooses a contact by a part of its name, address or company.

import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useQuery } from 'urql'
import { ContactsForTaskDocument } from '../generated/documents/task.ts'
import { contactWords } from '../language/en/contacts.ts'
import { pieceWords } from '../language/en/shared/pieces.ts'
import { taskWords } from '../language/en/tasks.ts'

interface ContactSelectProps {
  defaultValue?: string
  error?: React.ReactNode
  onChange?: (value: string) => void
}

const typingMs = 120

export function ContactSelect({ defaultValue, error, onChange, ...others }: ContactSelectProps) {
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text, typingMs)
  const [{ data, fetching }] = useQuery({ query: ContactsForTaskDocument, variables: { q } })
  const options = (data?.contacts.nodes ?? []).map(({ id, fullName, email, companyName }) => ({
    value: id,
    label: [fullName ?? email ?? contactWords.unnamed, companyName].filter(Boolean).join(', '),
  }))
  return (
    <Select
      {...others}
      label={taskWords.contact}
      placeholder={taskWords.contactHint}
      searchable
      data={options}
      filter={({ options: found }) => found}
      defaultValue={defaultValue}
      error={error}
      onChange={value => onChange?.(value ?? '')}
      onSearchChange={setText}
      nothingFoundMessage={fetching ? pieceWords.searching : taskWords.noContact}
    />
  )
}
