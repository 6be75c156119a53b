// The zip of an archive, made while it is read: no file of it is ever whole in memory.

import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Context } from '../../kernel/context.ts'
import { archiveFiles } from './files.sql.ts'
import { linesOf } from './lines.ts'

/** `onRows` is called for each page, and ends the zip by throwing. */
export async function* archiveZip(context: Context, orgId: string, onRows: (count: number) => Promise<void>): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const mtime = context.now()
  // `as`: yazl's output is a PassThrough.
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  zip.addBuffer(Buffer.from(readMe(mtime)), 'README.txt', { mtime })
  for (const file of archiveFiles)
    zip.addReadStreamLazy(`${file.name}.csv`, { mtime }, opened =>
      // Called when its turn comes. 1: reads at most one page ahead.
      opened(null, Readable.from(linesOf(context, orgId, file, onRows), { highWaterMark: 1 })),
    )
  zip.end()
  yield* output
}

const readMe = (now: Date) => `This archive has everything of an organization in Rolocom, as it was on ${now.toISOString()}.

Each file is CSV in UTF-8, with a line of headers. Times are in UTC. Lists in a cell are joined by semicolons. A cell that a
spreadsheet would run as a formula begins with an apostrophe. Columns whose names end in _id have the id of a row of another file.
Deleted contacts, companies and deals have a deleted_at.

${archiveFiles.map(({ name, says }) => `${name}.csv\n  ${says}\n`).join('\n')}`
