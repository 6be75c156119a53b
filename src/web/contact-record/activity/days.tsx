// The events of a record: newest first, grouped by day.

import { Box, Text } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import type { Connection } from '../../data/use-connection.ts'
import { recordWords } from '../../language/en/contact/record.ts'
import { zonedFormat } from '../../language/zone.ts'
import { Grown } from '../../pieces/states/grown.tsx'
import type { RecordRef } from '../../record/ref.ts'
import { useOwners } from '../fields/choices.ts'
import type { RecordField } from '../fields/fields.ts'
import { type Entry, endsEntity } from './kinds.tsx'
import { TimelineEntry } from './timeline-entry.tsx'

const days = zonedFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })

interface DaysProps {
  list: Connection<Entry>
  /** The entries of the list that match a filter. */
  shown: readonly Entry[]
  fields: readonly RecordField[]
  /** Names of other objects that values name by their ids. */
  names?: ReadonlyMap<string, string> | undefined
  record: RecordRef
  empty: string
}

export function Days({ list, shown, fields, names, record, empty }: DaysProps) {
  const members = useOwners()
  const owners = useMemo(() => new Map([...(names ?? []), ...members.map(({ value, label }) => [value, label] as const)]), [members, names])
  const over = new Set(list.rows.filter(endsEntity).map(({ entityId }) => entityId))
  const byDay = [...Map.groupBy(shown, ({ createdAt }) => days(new Date(createdAt)))]
  return (
    <Grown list={{ ...list, rows: shown }} height={32} count={6} more={recordWords.timeline.earlier} empty={empty}>
      {byDay.map(([day, entries]) => (
        <Day key={day} day={day}>
          {entries.map(entry => (
            <TimelineEntry
              key={entry.id}
              entry={entry}
              fields={fields}
              members={owners}
              record={record}
              isCurrent={!over.has(entry.entityId)}
            />
          ))}
        </Day>
      ))}
    </Grown>
  )
}

function Day({ day, children }: { day: string; children: ReactNode }) {
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
