// Reads the records of an uploaded file one after the other, from its chunks in the database. Memory is bounded by the longest record.

import { CsvError, parse } from 'csv-parse'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { chunksOf } from '../../kernel/uploads/upload.ts'
import { type Delimiter, decoderOf, delimiters, type Encoding } from './format.ts'

export interface FileFormat {
  uploadId: string
  encoding: Encoding
  delimiter: Delimiter
}

export interface RecordOfFile {
  /** From 1, the header included. */
  row: number
  cells: string[]
}

// Characters. As much as a whole body of the API: a quote that is never closed would otherwise take the rest of the file.
const maxRecordLength = 1_000_000

/** So many of the first records are looked through for some that are not empty; to read 100 MB takes half a minute. */
export const maxSought = 10_000

/** The records in their order, empty ones included. Throws INVALID where the file cannot be read on. `onBytes` is told of each chunk. */
export async function* recordsOf(
  context: Context,
  { uploadId, encoding, delimiter }: FileFormat,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<RecordOfFile> {
  const parsed: string[][] = []
  const parser = parse({
    delimiter: delimiters[delimiter],
    bom: true,
    max_record_size: maxRecordLength,
    // Files mix line ends, and rows miss cells; what that means for a row is told where it is read.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    // Kept here and not in the stream, which would drop what it has read when it meets an error.
    on_record(cells: string[]) {
      parsed.push(cells)
      return null
    },
  }).resume()
  let error: Error | null = null
  parser.on('error', (met: Error) => {
    error = met
  })
  let row = 0
  const records = () => parsed.splice(0).map(cells => ({ row: ++row, cells }))
  try {
    for await (const text of textOf(chunksOf(context, uploadId), encoding, onBytes)) {
      await new Promise<unknown>(resolve => parser.write(text, resolve))
      yield* records()
      if (error) throw unreadable(row + 1, error)
    }
    await new Promise<unknown>(resolve => parser.once('error', resolve).end(resolve))
    yield* records()
    if (error) throw unreadable(row + 1, error)
  } finally {
    parser.destroy()
  }
}

const unreadable = (row: number, error: Error) =>
  error instanceof CsvError ? new AppError('INVALID', `Row ${row} ${reasonOf(error)}`) : error

function reasonOf({ code }: CsvError): string {
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `is longer than ${maxRecordLength.toLocaleString('en')} characters: a line end is missing, or a quote is not closed`
  return code === 'CSV_QUOTE_NOT_CLOSED' ? 'or a row after it begins a quote that is not closed' : 'is not CSV'
}

async function* textOf(chunks: AsyncIterable<Buffer>, encoding: Encoding, onBytes: (count: number) => void): AsyncGenerator<string> {
  const decoder = decoderOf(encoding)
  for await (const chunk of chunks) {
    onBytes(chunk.length)
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}
