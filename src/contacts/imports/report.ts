// The refused rows of an import as a file: row number, problem, and the original cells.

import type { Context } from '../../kernel/context.ts'
import { createDownload, type Download, organizationToDownloadFrom } from '../../kernel/downloads/download.ts'
import { csvLine } from '../exports/csv.ts'
import { type ContactImport, countRefusals, selectRefusals } from './import.sql.ts'
import { getImport } from './import.ts'

const pageSize = 500

/** Creates the link to the report. Throws NOT_FOUND. */
export async function createReport(context: Context, id: string): Promise<Download> {
  organizationToDownloadFrom(context)
  const { id: importId, columns } = await getImport(context, id)
  if (context.dryRun) {
    const [counted] = await context.db.query(countRefusals, [importId])
    context.dryRun.file = { rowCount: counted?.total ?? 0, columns: headersOf(columns) }
  }
  return createDownload(context, { kind: 'contact_import_report', fileName: `refused-rows-${importId}.csv`, parameters: { importId } })
}

export async function* writeReport(context: Context, parameters: unknown): AsyncGenerator<string> {
  // `as`: `createReport` has stored these parameters.
  const { importId } = parameters as { importId: string }
  const { columns } = await getImport(context, importId)
  yield csvLine(headersOf(columns))
  for (let last = 0; ; ) {
    const page = await context.db.query(selectRefusals, [importId, last, pageSize])
    if (page.length > 0) yield page.map(({ row, cells, reason }) => csvLine([String(row), reason, ...cells])).join('')
    if (page.length < pageSize) return
    last = page.at(-1)?.row ?? last
  }
}

const headersOf = (columns: ContactImport['columns']): string[] => ['row', 'problem', ...columns.map(({ name }) => name)]
