// Workbooks and vCards become a table: a second upload of CSV, which belongs to the first one. So all kinds of files are read by one reader,
// from any position.

import pLimit from 'p-limit'
import type { Context } from '../../../kernel/context.ts'
import { inLongWork } from '../../../kernel/deadlines/long-work.ts'
import { AppError } from '../../../kernel/errors.ts'
import { chunksOf, deriveUpload, maxUploadBytes, type Upload } from '../../../kernel/uploads/upload.ts'
import { tableOfCards } from './cards.ts'
import type { FileKind } from './kind.ts'
import { openWorkbook } from './workbook.ts'

export interface Table {
  /** The id of the upload with the CSV. */
  tableId: string
  byteCount: number
  sheet: string | null
  sheets: string[]
}

// 30 MB: a workbook of half a million contacts. It is in memory while it is read.
const maxWorkbookBytes = 30_000_000

// One at a time: each may use 200 MB.
const oneAtATime = pLimit(1)

/** Writes the table of a file. `sheet`: the name of a sheet of a workbook; absent: the first one with cells. Throws INVALID and UNSUPPORTED_MEDIA_TYPE. */
export const makeTable = (context: Context, kind: Exclude<FileKind, 'csv'>, upload: Upload, sheet: string | null): Promise<Table> =>
  inLongWork(context, () => oneAtATime(() => (kind === 'xlsx' ? tableOfWorkbook(context, upload, sheet) : tableOfVcards(context, upload))))

async function tableOfWorkbook(context: Context, upload: Upload, wanted: string | null): Promise<Table> {
  if (upload.byteCount > maxWorkbookBytes)
    throw new AppError('INVALID', 'The workbook is larger than 30 MB. Divide it, or save the sheet as CSV, and upload that')
  const parts: Buffer[] = []
  for await (const chunk of chunksOf(context, upload.id)) parts.push(chunk)
  const workbook = await openWorkbook(Buffer.concat(parts))
  const { sheet, rows } = await workbook.rowsOf(wanted)
  const table = await deriveUpload(context, upload.id, bytesOf(rows))
  return { tableId: table.id, byteCount: table.byteCount, sheet, sheets: workbook.sheets }
}

async function tableOfVcards(context: Context, upload: Upload): Promise<Table> {
  const rows = await tableOfCards(() => chunksOf(context, upload.id), upload.isUtf8)
  const table = await deriveUpload(context, upload.id, bytesOf(rows))
  return { tableId: table.id, byteCount: table.byteCount, sheet: null, sheets: [] }
}

// In characters.
const pieceLength = 65_536

async function* bytesOf(rows: AsyncIterable<readonly string[]>): AsyncGenerator<Buffer> {
  let text = ''
  let byteCount = 0
  for await (const cells of rows) {
    text += `${cells.map(cell => (cell === '' ? '' : `"${cell.replaceAll('"', '""')}"`)).join(',')}\n`
    if (text.length < pieceLength) continue
    const piece = Buffer.from(text)
    text = ''
    byteCount += piece.length
    if (byteCount > maxUploadBytes) throw new AppError('INVALID', 'The file has more than 100 MB of text; divide it')
    yield piece
  }
  yield Buffer.from(text)
}
