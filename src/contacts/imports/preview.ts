// Previews of an import: the contacts that the first rows of a file would become with a mapping. Writes nothing.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/problem.ts'
import { storableText } from '../../kernel/input/storable.ts'
import type { WriteOutcome } from '../contact/write.ts'
import { outcomeReader } from './check/outcomes.ts'
import { maxColumns } from './columns/columns.ts'
import { withKnownCompanies } from './columns/companies.ts'
import { type CellWarning, sentenceOf } from './columns/mapping.ts'
import type { ContactImport } from './import.sql.ts'
import { getImport } from './import.ts'
import { linkRows } from './nouns/links.ts'
import { nounsBeside } from './parts/parts.ts'
import { maxSought, recordsOf } from './records.ts'
import type { ImportWarning } from './report.ts'
import { checkSettings, editor, type GivenSettings, readingOf } from './settings.ts'

export interface PreviewImport extends GivenSettings {
  id: string
  /** Default: 10. */
  rows?: number | null
}

export interface PreviewedRow {
  row: number
  cells: string[]
  /** The fields that the row sets, as they would be stored. */
  contact: Record<string, unknown>
  outcome: WriteOutcome
  problem: string | null
  /** Cells that are left out, shortened, or cannot be used as they are. */
  warnings: readonly ImportWarning[]
}

const maxRows = 100
// In characters: a hundred rows of the greatest length would make an answer of 100 MB.
const maxLength = 2_000_000

/** Throws NOT_FOUND, INVALID for an invalid mapping, and CONFLICT when the file is deleted. */
export async function previewImport(context: Context, { id, rows, ...settings }: PreviewImport): Promise<PreviewedRow[]> {
  const orgId = organizationOf(context)
  const size = rows ?? 10
  if (size < 1) throw invalid(problem('rows', 'greater_than_equal', size, { ge: 1 }))
  if (size > maxRows) throw invalid(problem('rows', 'less_than_equal', size, { le: maxRows }))
  const given = await getImport(context, id)
  if (given.uploadId === null) throw new AppError('CONFLICT', `The import is ${given.status}, and its file deleted`)
  const checked = await checkSettings(context, given, settings)
  const { read, customFields } = await readingOf(context, given, checked)
  const edited = editor(checked.edits)
  const found: { row: number; cells: string[]; input: ReturnType<typeof read> }[] = []
  let length = 0
  for await (const record of recordsOf(context, { ...given, uploadId: given.uploadId })) {
    const { row, cells } = edited(record)
    if (row <= given.position || (given.hasHeader && row === (given.headerRow ?? 1))) continue
    const input = read(cells)
    const kept = cells.slice(0, maxColumns).map(cell => storableText(cell))
    if (!input.isEmpty) found.push({ row, cells: kept, input })
    length += kept.reduce((sum, cell) => sum + cell.length, 0)
    if (found.length >= size || length >= maxLength || row >= maxSought) break
  }
  const known = await withKnownCompanies(
    context,
    orgId,
    found.map(({ input }) => input),
  )
  const together = await nounsBeside(context, given)
  const inputs = await linkRows(context, given, checked.mapping, known, together)
  const outcomes = await outcomeReader(context, given, checked.onConflict, customFields, together)(inputs)
  return found.flatMap(({ row, cells }, index) => {
    const [one, input] = [outcomes[index], inputs[index]]
    if (!one || !input) return []
    const { outcome, problems, changes } = one
    const { fields = {}, custom = {} } = changes ?? {}
    const isRefused = outcome === 'failed'
    return {
      row,
      cells,
      contact: one.shown ?? { ...fields, ...(custom && Object.keys(custom).length > 0 && { custom }) },
      outcome,
      problem: isRefused ? sentenceOf(problems, checked.mapping, given.columns) : null,
      warnings: isRefused ? [] : input.warnings.map(warning => inColumn(given, row, warning)),
    }
  })
}

const inColumn = ({ columns }: ContactImport, row: number, { column, value, message }: CellWarning): ImportWarning => ({
  row,
  cell: column,
  columnName: columns[column]?.name ?? '',
  value,
  reason: message,
})
