// The text of a value in a history: enumerations by their words, members by their names, times as times.

import { callWords, endedReasonWords } from '../../language/en/calls.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { peopleWords } from '../../language/en/people.ts'
import { taskWords } from '../../language/en/tasks.ts'
import { timelineWords } from '../../language/en/timeline.ts'
import { decimalText, durationText } from '../../language/format.ts'
import { fieldText, valueText, wordOf } from '../../language/values.ts'
import { dayText } from '../../language/zone.ts'
import { exact } from '../../pieces/time.tsx'

interface PersonOfDeal {
  contactId: string
  role: string | null
}

interface Address {
  value: string
  label: string | null
}

type Words = Readonly<Record<string, string>>

const wordsOf: Readonly<Record<string, Words>> = {
  lifecycleStage: contactWords.stage,
  source: contactWords.source,
  status: { ...callWords.status, ...taskWords.status },
  outcome: callWords.outcome,
  answeredBy: callWords.answeredBy,
}
const membersIn: ReadonlySet<string> = new Set(['ownerUserId', 'assigneeUserId'])
/** The place of a deal in its column says nothing to people. */
export const isUntold = (field: string): boolean => field === 'position'
const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/
const day = /^\d{4}-\d{2}-\d{2}$/

/** Empty for an empty value. `members`: names by id. */
export function changedValue(field: string, value: unknown, members: ReadonlyMap<string, string>): string {
  const text = valueText(value)
  if (text === '') return ''
  if (membersIn.has(field)) return members.get(text) ?? peopleWords.formerMember
  if (field === 'companyId') return members.get(text) ?? timelineWords.aCompany
  // Of a deal.
  if (field === 'contacts' && Array.isArray(value))
    return value
      .map((one: PersonOfDeal) => `${members.get(one.contactId) ?? timelineWords.aContact}${one.role ? ` (${one.role})` : ''}`)
      .join(', ')
  // Of a contact.
  if ((field === 'emails' || field === 'phones') && Array.isArray(value))
    return value.map((one: Address) => (one.label ? `${one.value} (${one.label})` : one.value)).join(', ')
  if (field === 'amount') return decimalText(Number(text))
  const words = wordsOf[field]
  if (words) return wordOf(words, text.toUpperCase())
  if (field === 'endedReason') return wordOf(endedReasonWords, text)
  if (field === 'durationSeconds' && typeof value === 'number') return durationText(value)
  if (typeof value === 'string' && time.test(value)) return exact(value)
  return typeof value === 'string' && day.test(value) ? dayText(value) : fieldText(field, value)
}
