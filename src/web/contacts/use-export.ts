// Downloads contacts as a file.

import { useDownload } from '../data/use-download.ts'
import { CreateContactExportDocument } from '../generated/documents/contacts-bulk.ts'
import type { ContactFilter } from '../generated/operations.ts'
import type { ContactSort } from '../generated/schema.ts'
import { contactWords } from '../language/en/contacts.ts'

export interface ExportedList {
  filter: ContactFilter
  sort: ContactSort
  /** Undefined for all. */
  columns?: readonly string[] | undefined
  /** Only these of the contacts that match. */
  ids?: string[]
}

export function useExport(): { download(list: ExportedList): Promise<void>; isRunning: boolean } {
  const words = { downloaded: contactWords.exported, failed: contactWords.notExported }
  const { download, isRunning } = useDownload(CreateContactExportDocument, data => data.createContactExport, words)
  return {
    isRunning,
    // Without a byte order mark Excel guesses another encoding.
    download: ({ columns = [], ...list }) =>
      download({ input: { ...list, byteOrderMark: true, ...(columns.length > 0 && { columns: [...columns] }) } }),
  }
}
