// The subject of an inbox item: whether it is still there.

import type { Context } from '../../kernel/context.ts'
import { loadNoun, nounNamed } from '../../kernel/nouns/nouns.ts'
import type { InboxItem } from './item.sql.ts'

/** Whether the subject was deleted. False for a noun without rows, such as credits. */
export async function isSubjectGone(context: Context, { subjectType, subjectId }: InboxItem): Promise<boolean> {
  const noun = nounNamed(subjectType)
  if (!noun?.load) return false
  const row = await loadNoun(context, noun, subjectId)
  return row === null || ('deletedAt' in row && row.deletedAt !== null)
}
