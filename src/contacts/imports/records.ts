// Reads the records of an uploaded file sequentially from its chunks in the database. The longest record bounds the memory.

import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { parse as parseAtOnce } from 'csv-parse/sync'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { chunksOf } from '../../kernel/uploads/upload.ts'
import { maxColumns } from './columns/columns.ts'
import { decoderOf, type Encoding } from './encodings.ts'
import { type Delimiter, delimiters, isWrapped } from './format.ts'

export interface FileFormat {
  uploadId: string
  /** The upload with the table of a workbook or of vCards, which is read in place of the file. */
  tableId: string | null
  encoding: Encoding
  delimiter: Delimiter
}

export interface RecordOfFile {
  /** The record's number in the file, from 1, counting the header. */
  row: number
  cells: string[]
}

// Everything is counted while it is read, because a file is an outsider's: a parser that counts afterwards has already used the memory.

// In characters, as many as a request body may have. Without a limit, a quote that is never closed would extend the record to the end of
// the file.
const maxRecordLength = 1_000_000
/** Twenty times `maxColumns`: a row that is a bit too long is refused alone. A file of commas is one row of a hundred million cells. */
const maxCells = 10_000
/** Twice as many as a spreadsheet holds. A file of line ends has a hundred million. */
const maxRecords = 2_000_000
// In characters: other requests get their turn between two pieces, after at most some hundredths of a second.
const pieceLength = 65_536

/** The number of first records that are searched for non-empty ones. Reading 100 MB takes half a minute. */
export const maxSought = 10_000

// `a, "b, c"`
const spaceBeforeQuote = /[,;|] "/

/** The records in order, including empty ones. Throws INVALID where the file becomes unreadable. `onBytes` is called for each chunk. */
export async function* recordsOf(
  context: Context,
  { uploadId, tableId, encoding, delimiter }: FileFormat,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<RecordOfFile> {
  const parsed: string[][] = []
  const texts = textOf(chunksOf(context, tableId ?? uploadId), encoding, onBytes)
  let next = await texts.next()
  const parser = parse({
    delimiter: delimiters[delimiter],
    bom: true,
    max_record_size: maxRecordLength,
    // Files may mix line ends, and rows may lack cells. The mapping decides whether such a row is valid.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    // Reading takes twice as long with it.
    ltrim: tableId === null && spaceBeforeQuote.test(next.value ?? ''),
    cast(cell, { column }) {
      if (Number(column) < maxCells) return cell
      throw new AppError(
        'INVALID',
        `Row ${row + parsed.length + 1} has more than ${formatLimit(maxCells)} cells, and may have ${maxColumns}`,
      )
    },
    // Collected here, because on an error the stream drops the records that it has read.
    on_record(cells: string[]) {
      parsed.push(cells)
      // Every record counts as the first one: for one of another length than the first, the parser makes an error with a copy of the
      // record, and throws it away. That takes a hundred times as long as reading it.
      Object.assign(parser.info, { records: 0 })
      return null
    },
  })
  parser.resume()
  let error: Error | null = null
  parser.on('error', (met: Error) => {
    error = met
  })
  let row = 0
  // The number of cells of the first row with several cells; 0 before it.
  let width = 0
  const isAllWrapped = isWrapped(next.value ?? '')
  function* records() {
    for (const given of parsed.splice(0)) {
      if (++row > maxRecords) throw new AppError('INVALID', `The file has more than ${formatLimit(maxRecords)} rows; divide it`)
      const cells = tableId === null ? unwrapCells(given, delimiters[delimiter], isAllWrapped ? null : width) : given
      if (width === 0 && cells.length > 1) width = cells.length
      yield { row, cells }
    }
  }
  try {
    for (; !next.done; next = await texts.next()) {
      const text = next.value
      for (let from = 0; from < text.length; from += pieceLength) {
        await new Promise<unknown>(resolve => parser.write(text.slice(from, from + pieceLength), resolve))
        yield* records()
        if (error) throw unreadable(row + 1, error)
        await setImmediate()
      }
    }
    await new Promise<unknown>(resolve => parser.once('error', resolve).end(resolve))
    yield* records()
    if (error) throw unreadable(row + 1, error)
  } finally {
    await texts.return(undefined)
    parser.destroy()
  }
}

/**
 * The cells of a row that is one cell of another file: Excel opens a file with commas as one column where it expects semicolons, and saves its
 * rows with quotes as `"Ada,""a@example.com"""`. `width`: how many cells such a row has; null: as many as there are.
 */
function unwrapCells(cells: string[], delimiter: string, width: number | null): string[] {
  const [cell = ''] = cells
  if (cells.length !== 1 || !cell.includes(delimiter) || (width !== null && !cell.includes('"'))) return cells
  const [inner = cells] = parseAtOnce(cell, { delimiter, relax_column_count: true, relax_quotes: true, quote: isClosed(cell) ? '"' : null })
  return inner.length === (width ?? inner.length) && inner.length <= maxColumns ? inner : cells
}

const isClosed = (cell: string) => cell.split('"').length % 2 === 1

const formatLimit = (limit: number) => limit.toLocaleString('en')

const unreadable = (row: number, error: Error) =>
  error instanceof CsvError ? new AppError('INVALID', `Row ${row} ${reasonOf(error)}`) : error

function reasonOf({ code }: CsvError): string {
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `is longer than ${formatLimit(maxRecordLength)} characters: a line end is missing, or a quote is not closed`
  return code === 'CSV_QUOTE_NOT_CLOSED'
    ? 'or a row after it begins a quote that is not closed; write "" for a quote in a text'
    : 'is not CSV'
}

async function* textOf(
  chunks: AsyncIterable<Buffer>,
  encoding: Encoding,
  onBytes: (count: number) => void,
): AsyncGenerator<string, undefined> {
  const decoder = decoderOf(encoding)
  for await (const chunk of chunks) {
    onBytes(chunk.length)
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}
