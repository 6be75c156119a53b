// The sentence of an inbox item, from its fields.

import type { InboxRowFragment } from '../generated/operations.ts'
import { inboxWords } from '../language/en/inbox.ts'
import { nounWords } from '../language/en/values.ts'
import { countText, numberText } from '../language/format.ts'
import { recordOf } from '../record/ref.ts'

export type InboxRow = InboxRowFragment

export function sentenceOf({ kind, subjectType, inboxTitle: title, inboxResult, count, actor, ...item }: InboxRow): string {
  const who = actor.name ?? inboxWords.somebody
  const record = recordOf(item)
  const noun = record?.noun ?? nounOf(subjectType)
  const whom = record?.name ?? inboxWords.aRecord[noun]
  const what = title ?? inboxWords.untitled
  const nouns = nounWords[nounOf(subjectType)]
  const isFailed = inboxResult === 'FAILED'
  switch (kind) {
    case 'ASSIGNED':
      if (subjectType === 'contact_task') return inboxWords.assignedTask(who, what)
      return count > 1 ? inboxWords.assignedMany(who, countText(count, nouns)) : inboxWords.assigned(who, whom, nounOf(subjectType))
    case 'MENTIONED':
      return inboxWords.mentioned(who, whom, noun)
    case 'REMINDER_DUE':
      return inboxWords.reminder(what)
    case 'CALL_ENDED':
      return inboxWords.call[inboxResult ?? 'SUCCEEDED'](whom)
    case 'JOB_ENDED':
      return isFailed ? inboxWords.jobFailed(whom) : inboxWords.jobDone(whom)
    case 'IMPORT_ENDED':
      return isFailed ? inboxWords.importFailed(what) : inboxWords.importDone(what, numberText(count))
    case 'BULK_CHANGE_ENDED':
      return isFailed ? inboxWords.bulkFailed(nouns.other) : inboxWords.bulkDone(countText(count, nouns))
    case 'CREDITS_LOW':
      return inboxWords.creditsLow
    case 'WEBHOOK_FAILING':
      return isFailed ? inboxWords.webhookFailing(what) : inboxWords.webhookLate(what)
  }
}

/** The noun of the records: of a `company_bulk_change`, companies. */
export const nounOf = (subjectType: string) => (['company', 'deal'] as const).find(noun => subjectType.startsWith(noun)) ?? 'contact'

/** The line under the sentence: the words of a note, the contact of a task, the agent of a call. Null where the sentence says all. */
export function detailOf({ kind, subjectType, inboxTitle: title, isSubjectGone, ...item }: InboxRow): string | null {
  if (isSubjectGone) return inboxWords.gone
  if (kind === 'MENTIONED') return title
  if (kind === 'CALL_ENDED') return title
  return kind === 'REMINDER_DUE' || subjectType === 'contact_task' ? (recordOf(item)?.name ?? null) : null
}
