// The kinds of timeline entries for the filter, and a sentence for each type of event.

import {
  IconArrowMerge,
  IconListCheck,
  IconNote,
  IconPencil,
  IconPhone,
  IconPointFilled,
  IconSparkles,
  IconTrash,
  IconUserPlus,
} from '@tabler/icons-react'
import type { ContactTimelineQuery } from '../../generated/operations.ts'
import { plainWords, valueText } from '../../language/values.ts'

export type Entry = NonNullable<ContactTimelineQuery['contact']>['timeline']['nodes'][number]

export const entryKinds = ['changes', 'notes', 'tasks', 'calls', 'enrichment'] as const
export type EntryKind = (typeof entryKinds)[number]

/** The longest prefix of the event's type decides. */
const table: readonly [prefix: string, kind: EntryKind, icon: typeof IconNote, verb: string][] = [
  ['CALL_CREATED', 'calls', IconPhone, 'placed a call'],
  ['CALL_ENDED', 'calls', IconPhone, 'ended a call'],
  ['CALL_', 'calls', IconPhone, 'changed a call'],
  ['CONTACT_NOTED', 'notes', IconNote, 'wrote a note'],
  ['NOTE_UPDATED', 'notes', IconNote, 'changed a note'],
  ['NOTE_DELETED', 'notes', IconNote, 'deleted a note'],
  ['CONTACT_TASK_CREATED', 'tasks', IconListCheck, 'added a task'],
  ['CONTACT_TASK_COMPLETED', 'tasks', IconListCheck, 'completed a task'],
  ['CONTACT_TASK_REMINDED', 'tasks', IconListCheck, 'reminded of a task'],
  ['CONTACT_TASK_DELETED', 'tasks', IconListCheck, 'deleted a task'],
  ['CONTACT_TASK_', 'tasks', IconListCheck, 'changed a task'],
  ['ENRICHMENT_JOB_', 'enrichment', IconSparkles, 'enrichment'],
  ['SUGGESTION_CREATED', 'enrichment', IconSparkles, 'suggested a value'],
  ['SUGGESTION_ACCEPTED', 'enrichment', IconSparkles, 'accepted a suggestion'],
  ['SUGGESTION_REJECTED', 'enrichment', IconSparkles, 'declined a suggestion'],
  ['SUGGESTION_AUTO_APPLIED', 'enrichment', IconSparkles, 'applied a suggestion'],
  ['SUGGESTION_', 'enrichment', IconSparkles, 'changed a suggestion'],
  ['CONTACT_CREATED', 'changes', IconUserPlus, 'added the contact'],
  ['CONTACT_DELETED', 'changes', IconTrash, 'deleted the contact'],
  ['CONTACT_RESTORED', 'changes', IconUserPlus, 'restored the contact'],
  ['CONTACT_MERGED', 'changes', IconArrowMerge, 'merged a contact into this one'],
  ['CONTACT_UNMERGED', 'changes', IconArrowMerge, 'took a merge back'],
  ['CONTACT_UPDATED', 'changes', IconPencil, 'changed'],
]

export function meaningOf({ type }: Entry): { kind: EntryKind; icon: typeof IconNote; verb: string } {
  const found = table.filter(([prefix]) => type.startsWith(prefix)).toSorted(([a], [b]) => b.length - a.length)[0]
  if (!found) return { kind: 'changes', icon: IconPointFilled, verb: plainWords(type).toLowerCase() }
  const [prefix, kind, icon, verb] = found
  // The rest of the type is the job's status: "enrichment completed".
  return { kind, icon, verb: prefix === 'ENRICHMENT_JOB_' ? `enrichment ${plainWords(type.slice(prefix.length)).toLowerCase()}` : verb }
}

/** An entry that ends the note or suggestion: it is deleted or decided, and offers no more actions. */
export const endsEntity = ({ type }: Entry): boolean => /^(NOTE_DELETED|SUGGESTION_(?!CREATED))/.test(type)

// Details that say more than the event's type. The first one with a value is shown.
const telling = ['text', 'title', 'summary', 'field', 'recipe', 'outcome', 'reason']

export function detailOf({ details }: Entry): string {
  const given = (details ?? {}) as Record<string, unknown>
  const name = telling.find(one => valueText(given[one]) !== '')
  return name === undefined ? '' : valueText(given[name])
}
