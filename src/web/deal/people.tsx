// The people of a deal: each with a role, which is edited in its place. A contact is added by typing a name.

import { ActionIcon, Box, Group, Select, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useQuery } from 'urql'
import { nameOf } from '../contact-record/fields/fields.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import type { Deal } from '../deal-record/fields.ts'
import { ContactsToChooseDocument, UpdateDealDocument } from '../generated/documents/deal-record.ts'
import { announce } from '../keyboard/announce.tsx'
import { dealWords } from '../language/en/deals/deals.ts'
import { AnchorLink } from '../pieces/links.tsx'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import classes from './people.module.css'

const words = dealWords.people

export function People({ deal, mayWrite }: { deal: Deal; mayWrite: boolean }) {
  const update = useMutationWithProblems(UpdateDealDocument)
  const people = deal.contacts ?? []
  const write = async (contacts: { contactId: string; role: string | null }[]) => {
    const { failure } = await update.run({ input: { id: deal.id, ifVersion: deal.version, contacts } })
    if (failure) tellRefusal(words.notChanged, failure)
    else announce(words.changed)
  }
  const now = people.map(({ contact, role }) => ({ contactId: contact.id, role }))
  return (
    <section aria-labelledby="people-of-deal" className={classes.people}>
      <Text component="h2" size="sm" fw={600} id="people-of-deal">
        {words.title}
      </Text>
      {people.length === 0 && !mayWrite && (
        <Text size="sm" c="dimmed">
          {words.none}
        </Text>
      )}
      {people.map(({ contact, role }) => (
        <Box key={contact.id} className={classes.person}>
          <Box miw={0}>
            <AnchorLink to="/contacts/$contactId" params={{ contactId: contact.id }} size="sm" fw={500}>
              {nameOf(contact)}
            </AnchorLink>
            <Text size="xs" c="dimmed" truncate>
              {[contact.jobTitle, contact.companyName].filter(Boolean).join(', ')}
            </Text>
          </Box>
          <Role
            key={role}
            label={words.role(nameOf(contact))}
            role={role}
            mayWrite={mayWrite}
            onSave={next => void write(now.map(one => (one.contactId === contact.id ? { ...one, role: next } : one)))}
          />
          {mayWrite && (
            <ActionIcon
              aria-label={words.remove(nameOf(contact))}
              onClick={() => void write(now.filter(({ contactId }) => contactId !== contact.id))}
            >
              <IconX size={14} />
            </ActionIcon>
          )}
        </Box>
      ))}
      {mayWrite && (
        <AddPerson taken={now.map(({ contactId }) => contactId)} onAdd={id => void write([...now, { contactId: id, role: null }])} />
      )}
    </section>
  )
}

interface RoleProps {
  label: string
  role: string | null
  mayWrite: boolean
  onSave(role: string | null): void
}

function Role({ label, role, mayWrite, onSave }: RoleProps) {
  if (!mayWrite)
    return (
      <Text size="sm" c="dimmed" truncate>
        {role}
      </Text>
    )
  const save = (typed: string) => {
    const next = typed.trim() || null
    if (next !== role) onSave(next)
  }
  return (
    <TextInput
      size="xs"
      variant="unstyled"
      className={classes.role}
      aria-label={label}
      placeholder={words.addRole}
      maxLength={100}
      defaultValue={role ?? ''}
      onBlur={event => save(event.currentTarget.value)}
      onKeyDown={event => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key !== 'Escape') return
        event.currentTarget.value = role ?? ''
        event.currentTarget.blur()
      }}
    />
  )
}

// Waits for a pause in the typing.
const typingMs = 150

function AddPerson({ taken, onAdd }: { taken: readonly string[]; onAdd(contactId: string): void }) {
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), typingMs)
  const [{ data }] = useQuery({ query: ContactsToChooseDocument, variables: { q: q || null } })
  const options = (data?.contacts.nodes ?? [])
    .filter(({ id }) => !taken.includes(id))
    .map(contact => ({ value: contact.id, label: [nameOf(contact), contact.companyName].filter(Boolean).join(', ') }))
  return (
    <Group mt="xs">
      <Select
        size="xs"
        flex={1}
        aria-label={words.add}
        placeholder={words.add}
        data={options}
        // The server has searched.
        filter={({ options: found }) => found}
        searchable
        searchValue={typed}
        onSearchChange={setTyped}
        nothingFoundMessage={words.nobody}
        value={null}
        onChange={value => {
          setTyped('')
          if (value !== null) onAdd(value)
        }}
      />
    </Group>
  )
}
