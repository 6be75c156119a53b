// The refused rows of an import as a file: row number, problem, and the cells as they came.

import type { Context } from '../../kernel/context.ts'
import { createDownload, type Download, organizationToDownloadFrom } from '../../kernel/downloads/download.ts'
import { csvLine } from '../exports/csv.ts'
import { selectRefusals } from './import.sql.ts'
import { getImport } from './import.ts'

const pageSize = 500

/** Creates the link to the report. Throws NOT_FOUND. */
export async function createReport(context: Context, id: string): Promise<Download> {
  organizationToDownloadFrom(context)
  const { id: importId } = await getImport(context, id)
  return createDownload(context, { kind: 'contact_import_report', fileName: `refused-rows-${importId}.csv`, parameters: { importId } })
}

export async function* writeReport(context: Context, parameters: unknown): AsyncGenerator<string> {
  // As `createReport` has stored them.
  const { importId } = parameters as { importId: string }
  const { columns } = await getImport(context, importId)
  yield csvLine(['row', 'problem', ...columns.map(({ name }) => name)])
  for (let last = 0; ; ) {
    const page = await context.db.query(selectRefusals, [importId, last, pageSize])
    if (page.length > 0) yield page.map(({ row, cells, reason }) => csvLine([String(row), reason, ...cells])).join('')
    if (page.length < pageSize) return
    last = page.at(-1)?.row ?? last
  }
}
