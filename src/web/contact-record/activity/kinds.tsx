// The kinds of timeline entries, for the filter, and an icon for each type.

import {
  IconArrowMerge,
  IconBuilding,
  IconListCheck,
  IconNote,
  IconPencil,
  IconPhone,
  IconPointFilled,
  IconSparkles,
  IconTargetArrow,
  IconTrash,
  IconUserPlus,
} from '@tabler/icons-react'
import type { NamedContactFragment, TimelineNodeFragment } from '../../generated/operations.ts'

/** The timelines of companies and deals also read the person of an event. */
export type Entry = TimelineNodeFragment & { contact?: NamedContactFragment | null }
export type EntryEvent = NonNullable<Entry['event']>

export const entryKinds = ['changes', 'notes', 'tasks', 'calls', 'enrichment'] as const
export type EntryKind = (typeof entryKinds)[number]

type Meaning = readonly [kind: EntryKind, icon: typeof IconNote]

const meanings: Readonly<Record<EntryEvent['__typename'], Meaning>> = {
  CallChangedEntry: ['calls', IconPhone],
  CallEndedEntry: ['calls', IconPhone],
  CallPlacedEntry: ['calls', IconPhone],
  CompanyChangedEntry: ['changes', IconPencil],
  CompanyCreatedEntry: ['changes', IconBuilding],
  CompanyDeletedEntry: ['changes', IconTrash],
  CompanyDuplicateDismissedEntry: ['changes', IconArrowMerge],
  CompanyMergedEntry: ['changes', IconArrowMerge],
  CompanyRestoredEntry: ['changes', IconBuilding],
  CompanyUnmergedEntry: ['changes', IconArrowMerge],
  DealChangedEntry: ['changes', IconPencil],
  DealCreatedEntry: ['changes', IconTargetArrow],
  DealDeletedEntry: ['changes', IconTrash],
  DealMovedEntry: ['changes', IconTargetArrow],
  DealRestoredEntry: ['changes', IconTargetArrow],
  ContactChangedEntry: ['changes', IconPencil],
  ContactCreatedEntry: ['changes', IconUserPlus],
  ContactDeletedEntry: ['changes', IconTrash],
  ContactMergedEntry: ['changes', IconArrowMerge],
  ContactRestoredEntry: ['changes', IconUserPlus],
  ContactUnmergedEntry: ['changes', IconArrowMerge],
  DuplicateDismissedEntry: ['changes', IconArrowMerge],
  EnrichmentJobEntry: ['enrichment', IconSparkles],
  NoteAddedEntry: ['notes', IconNote],
  NoteChangedEntry: ['notes', IconNote],
  NoteDeletedEntry: ['notes', IconNote],
  SuggestionAddedEntry: ['enrichment', IconSparkles],
  SuggestionDecidedEntry: ['enrichment', IconSparkles],
  TaskAddedEntry: ['tasks', IconListCheck],
  TaskChangedEntry: ['tasks', IconListCheck],
  TaskCompletedEntry: ['tasks', IconListCheck],
  TaskDeletedEntry: ['tasks', IconListCheck],
  TaskRemindedEntry: ['tasks', IconListCheck],
}

/** The meaning of the entry. An event without a type is newer than the server that answers. */
export const meaningOf = ({ event }: Entry): Meaning => (event && meanings[event.__typename]) ?? ['changes', IconPointFilled]

/** An entry that ends the note or suggestion: it is deleted or decided, and offers no more actions. */
export const endsEntity = ({ event }: Entry): boolean =>
  event?.__typename === 'NoteDeletedEntry' || event?.__typename === 'SuggestionDecidedEntry'

/** The system writes the time of the last contact after each call, whose entry stands beside it. */
export const isToldElsewhere = ({ event, actor, changes }: Entry): boolean =>
  actor.type === 'SYSTEM' && event?.__typename === 'ContactChangedEntry' && changes.every(({ field }) => field === 'lastContactedAt')
