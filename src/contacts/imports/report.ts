// The refused rows of an import as a file, and the cells that were left out.

import type { Context } from '../../kernel/context.ts'
import { createDownload, type Download, fileKind, organizationToDownloadFrom } from '../../kernel/downloads.ts'
import { invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/problem.ts'
import { byteOrderMark, csvLine } from '../exports/csv.ts'
import { ofContacts } from '../exports/export.ts'
import { type ContactImport, countRefusals, countWarnings, selectRefusals, selectWarnings } from './import.sql.ts'
import { getImport } from './import.ts'

type ReportKind = 'refused_rows' | 'warnings'

export interface CreateReport {
  id: string
  /** Default: `refused_rows`. */
  kind?: ReportKind | null
  /** Default: false. */
  byteOrderMark?: boolean | null
}

const pageSize = 500

/** Creates the link to the report. Throws NOT_FOUND. */
export async function createReport(context: Context, input: CreateReport): Promise<Download> {
  organizationToDownloadFrom(context)
  const kind = input.kind ?? 'refused_rows'
  const { id: importId, columns } = await getImport(context, input.id)
  if (context.dryRun) {
    const [counted] = await context.db.query(kind === 'warnings' ? countWarnings : countRefusals, [importId])
    context.dryRun.file = { rowCount: counted?.total ?? 0, columns: headersOf(kind, columns) }
  }
  const fileName = `${kind.replace('_', '-')}-${importId}.csv`
  const parameters = { importId, kind, byteOrderMark: input.byteOrderMark ?? false }
  return createDownload(context, { kind: reportFile, fileName, parameters })
}

async function* writeReport(context: Context, parameters: unknown): AsyncGenerator<string> {
  // `as`: `createReport` has stored these parameters. Links of before have the id alone.
  const { importId, kind = 'refused_rows', ...given } = parameters as { importId: string; kind?: ReportKind; byteOrderMark?: boolean }
  const { columns } = await getImport(context, importId)
  yield (given.byteOrderMark ? byteOrderMark : '') + csvLine(headersOf(kind, columns))
  yield* kind === 'warnings' ? warningLines(context, importId, columns) : refusalLines(context, importId)
}

const reportFile = fileKind({ name: 'contact_import_report', write: writeReport, ...ofContacts })

async function* refusalLines(context: Context, importId: string): AsyncGenerator<string> {
  for (let last = 0; ; ) {
    const page = await context.db.query(selectRefusals, [importId, last, pageSize])
    if (page.length > 0) yield page.map(({ row, cells, reason }) => csvLine([String(row), reason, ...cells])).join('')
    if (page.length < pageSize) return
    last = page.at(-1)?.row ?? last
  }
}

async function* warningLines(context: Context, importId: string, columns: ContactImport['columns']): AsyncGenerator<string> {
  for (let last = [0, 0]; ; ) {
    const page = await context.db.query(selectWarnings, [importId, ...last, pageSize])
    const lines = page.map(({ row, cell, value, reason }) => csvLine([String(row), columns[cell]?.name ?? '', value, reason]))
    if (page.length > 0) yield lines.join('')
    const end = page.at(-1)
    if (page.length < pageSize || !end) return
    last = [end.row, end.cell]
  }
}

const headersOf = (kind: ReportKind, columns: ContactImport['columns']): string[] =>
  kind === 'warnings' ? ['row', 'column', 'value', 'problem'] : ['row', 'problem', ...columns.map(({ name }) => name)]

export interface ImportWarning {
  row: number
  cell: number
  columnName: string
  value: string
  reason: string
}

/** The first cells with warnings. Throws NOT_FOUND, and INVALID. */
export async function warningsOf(context: Context, { id, first }: { id: string; first: number }): Promise<ImportWarning[]> {
  if (first < 1) throw invalid(problem('first', 'greater_than_equal', first, { ge: 1 }))
  if (first > pageSize) throw invalid(problem('first', 'less_than_equal', first, { le: pageSize }))
  const { columns, id: importId } = await getImport(context, id)
  const found = await context.db.query(selectWarnings, [importId, 0, 0, first])
  return found.map(one => ({ ...one, columnName: columns[one.cell]?.name ?? '' }))
}
