// Describes an uploaded file: its kind, format and columns, with what the caller has said about them.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { valueError } from '../../kernel/input/problem.ts'
import { storableText } from '../../kernel/input/storable.ts'
import { chunksOf, deleteUpload, type Upload } from '../../kernel/uploads/upload.ts'
import { customFieldsOf } from '../custom-fields/field.ts'
import { columnsOf, headerRowOf, maxColumns, type Numbered, recognisedRow, recogniseIn } from './columns/columns.ts'
import { decoderOf, type Encoding } from './encodings.ts'
import { type FileKind, isOldWorkbook, kindOf, refuseOldWorkbook } from './files/kind.ts'
import { makeTable } from './files/table.ts'
import { type Delimiter, delimiterOf, encodingOf, isSeparatorLine } from './format.ts'
import type { ContactImport } from './import.sql.ts'
import { fieldsOf, type ImportNoun } from './nouns/fields.ts'
import { type FileFormat, maxSought, recordsOf } from './records.ts'

/** The caller's settings of a file. Absent ones are detected. */
export interface GivenFormat {
  /** The name of a sheet of a workbook. */
  sheet?: string | null
  encoding?: Encoding | null
  delimiter?: Delimiter | null
  hasHeader?: boolean | null
  /** The number of the record with the headers, from 1. */
  headerRow?: number | null
  /** Default: the noun of a system's export, or else contacts. */
  noun?: ImportNoun | null
}

export interface Described {
  kind: FileKind
  format: Pick<
    ContactImport,
    | 'tableId'
    | 'byteCount'
    | 'sheet'
    | 'sheets'
    | 'encoding'
    | 'delimiter'
    | 'hasHeader'
    | 'headerRow'
    | 'position'
    | 'columns'
    | 'noun'
    | 'source'
  >
  /** Of the records that were read. */
  rowCount: number
}

// The number of records that are read to describe the columns.
const describedRecords = 50

/**
 * Detects absent settings, and describes the columns. `former`: the import that has been described before, whose table is used again where the
 * sheet is the same. Throws INVALID or UNSUPPORTED_MEDIA_TYPE for a file that is no table, or has no record.
 */
export async function describeUpload(context: Context, upload: Upload, given: GivenFormat, former?: ContactImport): Promise<Described> {
  const { headerRow: wanted } = given
  if (wanted !== undefined && wanted !== null && (wanted < 1 || wanted > maxSought))
    throw invalid(valueError('headerRow', `the row of the headers is between 1 and ${maxSought.toLocaleString('en')}`, wanted))
  const head = (await chunksOf(context, upload.id).next()).value ?? Buffer.alloc(0)
  if (isOldWorkbook(head)) await refuseOldWorkbook(chunksOf(context, upload.id))
  const kind = kindOf(head)
  if (given.sheet != null && kind !== 'xlsx') throw invalid(valueError('sheet', 'the file has no sheets', given.sheet))
  const isTable = kind === 'csv' || (former !== undefined && former.tableId !== null && former.sheet === (given.sheet ?? former.sheet))
  const table = isTable ? (former ?? noTable(upload)) : await makeTable(context, kind, upload, given.sheet ?? null)
  try {
    return { kind, ...(await describeTable(context, upload, head, given, table)) }
  } catch (error) {
    if (table.tableId !== null && table.tableId !== former?.tableId) await deleteUpload(context, table.tableId)
    throw error
  }
}

const noTable = ({ byteCount }: Upload) => ({ tableId: null, byteCount, sheet: null, sheets: [] })

async function describeTable(
  context: Context,
  upload: Upload,
  head: Buffer,
  given: GivenFormat,
  table: Pick<ContactImport, 'tableId' | 'byteCount' | 'sheet' | 'sheets'>,
) {
  const { headerRow: wanted } = given
  const { tableId, byteCount, sheet, sheets } = table
  // A table is written by us.
  const encoding = tableId !== null ? 'utf_8' : (given.encoding ?? encodingOf(head, upload.isUtf8))
  const delimiter = tableId !== null ? 'comma' : (given.delimiter ?? delimiterOf(decoderOf(encoding).decode(head)))
  const records = await firstRecords(context, { uploadId: upload.id, tableId, encoding, delimiter }, wanted ?? 1)
  if (wanted && !records.some(({ row }) => row === wanted))
    throw invalid(valueError('headerRow', `row ${wanted} is empty or does not exist; name the row of the headers`, wanted))
  const found = given.hasHeader === false ? null : (wanted ?? recognisedRow(records))
  const recognised = recogniseIn(records, found)
  const noun = given.noun ?? recognised?.noun ?? 'contact'
  const { custom } = fieldsOf[noun]
  const customFields = custom === null ? [] : await customFieldsOf(context, organizationOf(context), custom)
  const headerRow =
    given.hasHeader === false ? null : (found ?? headerRowOf(records, customFields, noun) ?? (given.hasHeader ? firstRow(records) : null))
  // A line `sep=;` is no row.
  const [begin] = records
  const position = headerRow ?? (begin && isSeparatorLine(begin.cells) ? begin.row : 0)
  const columns = columnsOf(records, headerRow, customFields, noun, recognised?.noun === noun ? recognised : null)
  return {
    format: {
      tableId,
      byteCount,
      sheet,
      sheets,
      encoding,
      delimiter,
      hasHeader: headerRow !== null,
      headerRow,
      position,
      columns,
      noun,
      source: recognised?.source ?? null,
    },
    rowCount: records.filter(({ row }) => row > position).length,
  }
}

const firstRow = (records: readonly Numbered[]) => records.find(({ cells }) => !isSeparatorLine(cells))?.row ?? null

// In characters. Longer than any header, and than what a person reads of a cell.
const maxShown = 1000

// Not a slice of the cell, which would keep all of it in memory.
const beginningOf = (cell: string) => (cell.length > maxShown ? [...cell.slice(0, maxShown)].join('') : cell)

/**
 * The first records that are not empty, and some more from the record `from` on, each with the beginnings of its cells. Throws INVALID.
 */
async function firstRecords(context: Context, file: FileFormat, from: number): Promise<Numbered[]> {
  const records: Numbered[] = []
  for await (const { row, cells } of recordsOf(context, file)) {
    if (cells.length > maxColumns)
      throw new AppError('INVALID', `Row ${row} has ${cells.length.toLocaleString('en')} cells, and may have ${maxColumns}`)
    const isWanted = records.length < describedRecords || row >= from
    if (isWanted && cells.some(cell => cell.trim() !== '')) records.push({ row, cells: cells.map(beginningOf) })
    if (records.length >= describedRecords && row >= from + describedRecords) break
    if (row < maxSought) continue
    if (records.length === 0) throw new AppError('INVALID', `The first ${maxSought.toLocaleString('en')} rows are empty`)
    break
  }
  if (records.length === 0) throw new AppError('INVALID', 'The file is empty')
  return records
}

/** The first rows of the file as they are, without empty ones: among them a person finds the headers. Empty once the file is deleted. */
export async function firstRows(context: Context, { uploadId, ...file }: ContactImport, rows: number): Promise<Numbered[]> {
  if (uploadId === null || rows < 1) return []
  const records = await firstRecords(context, { ...file, uploadId }, 1)
  return records.slice(0, Math.min(rows, describedRecords)).map(({ row, cells }) => ({ row, cells: cells.map(cell => storableText(cell)) }))
}
