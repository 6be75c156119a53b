// The timeline of a record, filtered by kind, below the composer of a note.

import { Chip, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Connection } from '../../data/use-connection.ts'
import { recordWords } from '../../language/en/contact/record.ts'
import { contactWords } from '../../language/en/contacts.ts'
import type { RecordRef } from '../../record/ref.ts'
import type { RecordField } from '../fields/fields.ts'
import classes from '../record.module.css'
import { Days } from './days.tsx'
import { type Entry, type EntryKind, entryKinds, isToldElsewhere, meaningOf } from './kinds.tsx'
import { NoteComposer } from './note-composer.tsx'

// More entries, with all that they link to, cost more than a guest may ask for.
export const pageSize = 30

interface TimelineProps {
  record: RecordRef
  list: Connection<Entry>
  fields: readonly RecordField[]
  /** Names of other objects that values name by their ids. */
  names?: ReadonlyMap<string, string>
  mayWrite: boolean
}

export function Timeline({ record, list, fields, names, mayWrite }: TimelineProps) {
  const [kinds, setKinds] = useState<EntryKind[]>([])
  const told = list.rows.filter(entry => !isToldElsewhere(entry))
  const shown = kinds.length === 0 ? told : told.filter(entry => kinds.includes(meaningOf(entry)[0]))
  const { kinds: label, noneOfKinds, none } = recordWords.timeline
  return (
    <Stack gap="md" pt="md">
      <NoteComposer record={record} isDisabled={!mayWrite} />
      <Chip.Group multiple value={kinds} onChange={next => setKinds(entryKinds.filter(kind => next.includes(kind)))}>
        <Group gap={6} role="group" aria-label={label}>
          {entryKinds.map(kind => (
            <Chip key={kind} value={kind} className={classes.kind} size="xs" radius="sm" variant="outline">
              {contactWords.kinds[kind]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Days list={list} shown={shown} fields={fields} names={names} record={record} empty={kinds.length > 0 ? noneOfKinds : none} />
    </Stack>
  )
}
