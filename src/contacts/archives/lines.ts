// The lines of a file of an archive.

import type { Context } from '../../kernel/context.ts'
import { customFieldsOf } from '../custom-fields/field.ts'
import { cellOf, headerOf, textOf } from '../exports/columns.ts'
import { csvLine } from '../exports/csv.ts'
import { type ArchiveFile, firstKeys, usualSize } from './file.sql.ts'

/** The file as CSV, page after page. `onRows` receives the number of rows of each. */
export async function* linesOf(
  context: Context,
  orgId: string,
  file: ArchiveFile,
  onRows: (count: number) => Promise<void>,
): AsyncGenerator<string> {
  const { columns, keys, customOf, reads = {}, has = () => true, pageSize = usualSize, page } = file
  const headers = Object.keys(columns)
  const custom = customOf ? (await customFieldsOf(context, orgId, customOf)).map(({ key }) => `custom.${key}`) : []
  yield csvLine([...headers, ...custom.map(headerOf)])
  for (let key = Object.values(keys).map(type => firstKeys[type] as string); ; ) {
    const found = await context.db.query(page, [orgId, ...key])
    const lines = found.flatMap(row => {
      const named = Object.fromEntries(headers.map((header, index) => [header, row.cells[index]]))
      if (!has(named)) return []
      const cells = headers.map(header => textOf(reads[header]?.(named[header]) ?? (reads[header] ? null : named[header])))
      return csvLine([...cells, ...custom.map(column => cellOf(row, column))])
    })
    await onRows(lines.length)
    if (lines.length > 0) yield lines.join('')
    const last = found.at(-1)
    if (!last || found.length < pageSize) return
    key = last.key
  }
}
