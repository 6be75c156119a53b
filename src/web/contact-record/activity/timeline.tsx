// The events of a contact, filtered by kind, below the composer of a note.

import { Chip, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useConnection } from '../../data/use-connection.ts'
import { ContactTimelineDocument } from '../../generated/documents/contact-record-activity.ts'
import { recordWords } from '../../language/en/contact/record.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { concerns } from '../../record/ref.ts'
import { useContactFields } from '../fields/choices.ts'
import classes from '../record.module.css'
import { Days } from './days.tsx'
import { type EntryKind, entryKinds, isToldElsewhere, meaningOf } from './kinds.tsx'
import { NoteComposer } from './note-composer.tsx'

// More entries, with all that they link to, cost more than a guest may ask for.
const pageSize = 30

interface TimelineProps {
  contactId: string
  mayWrite: boolean
}

export function Timeline({ contactId, mayWrite }: TimelineProps) {
  const [kinds, setKinds] = useState<EntryKind[]>([])
  const fields = useContactFields()
  const list = useConnection({
    document: ContactTimelineDocument,
    variables: { id: contactId, first: pageSize },
    pick: data => data.contact?.timeline,
    isChangedBy: change => concerns({ noun: 'contact', id: contactId }, change),
  })
  const told = list.rows.filter(entry => !isToldElsewhere(entry))
  const shown = kinds.length === 0 ? told : told.filter(entry => kinds.includes(meaningOf(entry)[0]))
  return (
    <Stack gap="md" pt="md">
      <NoteComposer record={{ noun: 'contact', id: contactId }} isDisabled={!mayWrite} />
      <Chip.Group multiple value={kinds} onChange={next => setKinds(entryKinds.filter(kind => next.includes(kind)))}>
        <Group gap={6} role="group" aria-label={recordWords.timeline.kinds}>
          {entryKinds.map(kind => (
            <Chip key={kind} value={kind} className={classes.kind} size="xs" radius="sm" variant="outline">
              {contactWords.kinds[kind]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Days
        list={list}
        shown={shown}
        fields={fields}
        contactId={contactId}
        empty={kinds.length > 0 ? recordWords.timeline.noneOfKinds : recordWords.timeline.none}
      />
    </Stack>
  )
}
