// GraphQL: what entries of timelines tell. A noun declares beside its type what each of its events tells: a type with fields of its own. The
// union has them all, and the start refuses an event in timelines without one.

import type { ObjectRef } from '@pothos/core'
import { declarations, whenSealed } from '../../kernel/nouns/declared.ts'
import { allEvents, type EventType } from '../../kernel/nouns/events.ts'
import { nounNamed } from '../../kernel/nouns/nouns.ts'
import { builder } from './builder.ts'

/** An event as a timeline has it. */
export interface TimelineRow {
  type: string
  entityId: string
  changes: Readonly<Record<string, unknown>>
}

type EntryType = ObjectRef<typeof builder.$inferSchemaTypes, TimelineRow>

const declared = declarations<EntryType>('timeline entry')

/** Declares what these events tell in timelines. */
export function entryOf(events: readonly EventType[], type: EntryType): void {
  for (const event of events) declared.add(event, type)
}

/** The details of any entry of a timeline. */
export const TimelineDetails = builder.unionType('TimelineDetails', {
  description: 'Details of an entry of a timeline, by the type of its event.',
  types: () => [...new Set(declared.all().values())],
  resolveType: ({ type }) => declared.all().get(type)?.name,
})

/** Whether this server knows what the entry tells. A newer server may have recorded it. */
export const isTold = ({ type }: TimelineRow): boolean => declared.all().has(type)

whenSealed(() => {
  const silent = allEvents().filter(({ type, entity }) => nounNamed(entity)?.isInTimelines && !declared.all().has(type))
  if (silent.length > 0)
    throw new Error(`These events are in timelines, and no \`entryOf()\` says what they tell: ${silent.map(({ type }) => type).join(', ')}`)
})
