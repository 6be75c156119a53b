// Deletes a company with an undo, and restores one.

import type { Company } from '../company-record/fields.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { DeleteCompanyDocument, RestoreCompanyDocument } from '../generated/documents/company-record.ts'
import { companyWords } from '../language/en/companies.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { offerUndo } from '../pieces/notices/undo.tsx'

const words = companyWords.actions

export function useRemoval({ id, version, name }: Pick<Company, 'id' | 'version' | 'name'>) {
  const remove = useMutationWithProblems(DeleteCompanyDocument)
  const restore = useMutationWithProblems(RestoreCompanyDocument)
  const bringBack = async () => {
    const { failure } = await restore.run({ input: { id } })
    if (failure) tellRefusal(words.notRestored(name), failure)
  }
  const takeAway = async () => {
    const { failure } = await remove.run({ input: { id, ifVersion: version } })
    if (failure) tellRefusal(words.notDeleted(name), failure)
    else offerUndo(words.deleted(name), () => void bringBack())
  }
  return { takeAway, bringBack, isRunning: remove.isRunning || restore.isRunning }
}
