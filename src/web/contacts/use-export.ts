// Downloads contacts as a file.

import { useMutationWithProblems } from '../data/use-write.ts'
import { CreateContactExportDocument } from '../generated/documents/contacts.ts'
import type { ContactFilter } from '../generated/operations.ts'
import type { ContactSort } from '../generated/schema.ts'
import { announce } from '../keyboard/announce.tsx'
import { contactWords } from '../language/en/contacts.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'

export interface ExportedList {
  filter: ContactFilter
  sort: ContactSort
  /** Undefined for all. */
  columns?: readonly string[] | undefined
  /** Only these of the contacts that match. */
  ids?: string[]
}

export function useExport(): { download(list: ExportedList): Promise<void>; isRunning: boolean } {
  const making = useMutationWithProblems(CreateContactExportDocument)
  const download = async ({ columns = [], ...list }: ExportedList) => {
    // Without a byte order mark Excel guesses another encoding.
    const input = { ...list, byteOrderMark: true, ...(columns.length > 0 && { columns: [...columns] }) }
    const { data, failure } = await making.run({ input })
    if (failure) return tellRefusal(contactWords.notExported, failure)
    announce(contactWords.exported(data.createContactExport.fileName))
    // The link works once, and its answer is a file: the browser stays on the page.
    window.location.assign(data.createContactExport.url)
  }
  return { download, isRunning: making.isRunning }
}
