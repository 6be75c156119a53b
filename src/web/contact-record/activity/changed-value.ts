// The text of a value in a history: enumerations by their words, members by their names, times as times.

import { callWords, endedReasonWords } from '../../language/en/calls.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { peopleWords } from '../../language/en/people.ts'
import { taskWords } from '../../language/en/tasks.ts'
import { durationText } from '../../language/format.ts'
import { fieldText, valueText, wordOf } from '../../language/values.ts'
import { dayText, exact } from '../../pieces/time.tsx'

type Words = Readonly<Record<string, string>>

const wordsOf: Readonly<Record<string, Words>> = {
  lifecycleStage: contactWords.stage,
  source: contactWords.source,
  status: { ...callWords.status, ...taskWords.status },
  outcome: callWords.outcome,
  answeredBy: callWords.answeredBy,
}
const membersIn: ReadonlySet<string> = new Set(['ownerUserId', 'assigneeUserId'])
const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/
const day = /^\d{4}-\d{2}-\d{2}$/

/** Empty for an empty value. `members`: names by user id. */
export function changedValue(field: string, value: unknown, members: ReadonlyMap<string, string>): string {
  const text = valueText(value)
  if (text === '') return ''
  if (membersIn.has(field)) return members.get(text) ?? peopleWords.formerMember
  const words = wordsOf[field]
  if (words) return wordOf(words, text.toUpperCase())
  if (field === 'endedReason') return wordOf(endedReasonWords, text)
  if (field === 'durationSeconds' && typeof value === 'number') return durationText(value)
  if (typeof value === 'string' && time.test(value)) return exact(value)
  return typeof value === 'string' && day.test(value) ? dayText(value) : fieldText(field, value)
}
