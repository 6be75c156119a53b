// Chooses a contact, a company or a deal by a part of its name.

import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useQuery } from 'urql'
import { nameOf } from '../contact-record/fields/fields.ts'
import { RecordsForTaskDocument } from '../generated/documents/task.ts'
import { frameWords } from '../language/en/frame.ts'
import { pieceWords } from '../language/en/shared/pieces.ts'
import { taskWords } from '../language/en/tasks.ts'
import type { RecordRef } from '../record/ref.ts'

interface RecordSelectProps {
  defaultValue?: string
  error?: React.ReactNode
  onChange?: (value: string) => void
}

const typingMs = 120

const namedBy = ({ noun, id }: RecordRef): string => `${noun}:${id}`
/** The record of a value; null for none. */
export function refOf(value: string): RecordRef | null {
  const [name, id = ''] = value.split(':')
  const noun = (['contact', 'company', 'deal'] as const).find(one => one === name)
  return noun ? { noun, id } : null
}

export function RecordSelect({ defaultValue, error, onChange, ...others }: RecordSelectProps) {
  const [chosen, setChosen] = useState(defaultValue || null)
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text, typingMs)
  const [{ data, fetching }] = useQuery({ query: RecordsForTaskDocument, variables: { q } })
  const { contacts, companies, deals } = frameWords.places
  const groups = [
    {
      group: contacts,
      items: (data?.contacts.nodes ?? []).map(contact => ({
        value: namedBy({ noun: 'contact', id: contact.id }),
        label: [nameOf(contact), contact.companyName].filter(Boolean).join(', '),
      })),
    },
    {
      group: companies,
      items: (data?.companies.nodes ?? []).map(({ id, name }) => ({ value: namedBy({ noun: 'company', id }), label: name })),
    },
    {
      group: deals,
      items: (data?.deals.nodes ?? []).map(({ id, title, company }) => ({
        value: namedBy({ noun: 'deal', id }),
        label: [title, company?.name].filter(Boolean).join(', '),
      })),
    },
  ]
  return (
    <Select
      {...others}
      label={taskWords.record}
      placeholder={taskWords.recordHint}
      searchable
      data={groups.filter(({ items }) => items.length > 0)}
      filter={({ options: found }) => found}
      value={chosen}
      error={error}
      onChange={value => {
        setChosen(value)
        onChange?.(value ?? '')
      }}
      // Mantine would empty the input whenever other records are found.
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={fetching ? pieceWords.searching : taskWords.noRecord}
    />
  )
}
