// Deletes a deal with an undo, and restores one.

import { useMutationWithProblems } from '../data/use-write.ts'
import type { Deal } from '../deal-record/fields.ts'
import { DeleteDealDocument, RestoreDealDocument } from '../generated/documents/deal-record.ts'
import { dealWords } from '../language/en/deals/deals.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { offerUndo } from '../pieces/notices/undo.tsx'

const words = dealWords.actions

export function useRemoval({ id, version, title }: Pick<Deal, 'id' | 'version' | 'title'>) {
  const remove = useMutationWithProblems(DeleteDealDocument)
  const restore = useMutationWithProblems(RestoreDealDocument)
  const bringBack = async () => {
    const { failure } = await restore.run({ input: { id } })
    if (failure) tellRefusal(words.notRestored(title), failure)
  }
  const takeAway = async () => {
    const { failure } = await remove.run({ input: { id, ifVersion: version } })
    if (failure) tellRefusal(words.notDeleted(title), failure)
    else offerUndo(words.deleted(title), () => void bringBack())
  }
  return { takeAway, bringBack, isRunning: remove.isRunning || restore.isRunning }
}
