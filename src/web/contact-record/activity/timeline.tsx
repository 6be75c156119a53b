// The events of a contact: newest first, grouped by day, filtered by kind, below the composer of a note.

import { Box, Chip, Group, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useConnection } from '../../data/use-connection.ts'
import { ContactTimelineDocument } from '../../generated/documents/contact-record-activity.ts'
import { recordWords } from '../../language/en/contact/record.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { zonedFormat } from '../../language/zone.ts'
import { Grown } from '../../pieces/states/grown.tsx'
import { useContactFields, useOwners } from '../fields/choices.ts'
import classes from '../record.module.css'
import { type Entry, type EntryKind, endsEntity, entryKinds, isToldElsewhere, meaningOf } from './kinds.tsx'
import { NoteComposer } from './note-composer.tsx'
import { TimelineEntry } from './timeline-entry.tsx'

// More entries, with all that they link to, cost more than a guest may ask for.
const pageSize = 30
const days = zonedFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })

interface TimelineProps {
  contactId: string
  mayWrite: boolean
}

export function Timeline({ contactId, mayWrite }: TimelineProps) {
  const [kinds, setKinds] = useState<EntryKind[]>([])
  const fields = useContactFields()
  const members = useOwners()
  const owners = useMemo(() => new Map(members.map(({ value, label }) => [value, label])), [members])
  const list = useConnection({
    document: ContactTimelineDocument,
    variables: { id: contactId, first: pageSize },
    pick: data => data.contact?.timeline,
    isChangedBy: change => change.contactId === contactId || change.entityId === contactId,
  })
  const told = list.rows.filter(entry => !isToldElsewhere(entry))
  const shown = kinds.length === 0 ? told : told.filter(entry => kinds.includes(meaningOf(entry)[0]))
  const over = new Set(list.rows.filter(endsEntity).map(({ entityId }) => entityId))
  const byDay = [...Map.groupBy(shown, ({ createdAt }) => days(new Date(createdAt)))]
  return (
    <Stack gap="md" pt="md">
      <NoteComposer contactId={contactId} isDisabled={!mayWrite} />
      <Chip.Group multiple value={kinds} onChange={next => setKinds(entryKinds.filter(kind => next.includes(kind)))}>
        <Group gap={6} role="group" aria-label={recordWords.timeline.kinds}>
          {entryKinds.map(kind => (
            <Chip key={kind} value={kind} className={classes.kind} size="xs" radius="sm" variant="outline">
              {contactWords.kinds[kind]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Grown
        list={{ ...list, rows: shown }}
        height={32}
        count={6}
        more={recordWords.timeline.earlier}
        empty={kinds.length > 0 ? recordWords.timeline.noneOfKinds : recordWords.timeline.none}
      >
        {byDay.map(([day, entries]) => (
          <Day key={day} day={day}>
            {entries.map((entry: Entry) => (
              <TimelineEntry
                key={entry.id}
                entry={entry}
                fields={fields}
                members={owners}
                contactId={contactId}
                isCurrent={!over.has(entry.entityId)}
              />
            ))}
          </Day>
        ))}
      </Grown>
    </Stack>
  )
}

function Day({ day, children }: { day: string; children: React.ReactNode }) {
  return (
    <section aria-label={day}>
      <Text size="xs" c="dimmed" fw={500} component="h2" mb={4}>
        {day}
      </Text>
      <Box component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {children}
      </Box>
    </section>
  )
}
