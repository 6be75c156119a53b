// Previews of an import: the contacts that the first rows of a file would become with a mapping. Writes nothing.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/problem.ts'
import { storableText } from '../../kernel/input/storable.ts'
import { keysOf } from '../contact/batch/by-external-id.ts'
import { checkContacts } from '../contact/check.ts'
import { contactsByEmail, contactsByExternalId } from '../contact/contact.sql.ts'
import type { OnConflict, WriteOutcome } from '../contact/write.ts'
import { customFieldsOf } from '../custom-fields/field.ts'
import { surroundingsOf } from './cells/surroundings.ts'
import { maxColumns } from './columns.ts'
import type { ContactImport } from './import.sql.ts'
import { checkMapping, getImport } from './import.ts'
import { type CellWarning, type Mapping, rowReader, sentenceOf } from './mapping.ts'
import { maxSought, recordsOf } from './records.ts'
import type { ImportWarning } from './report.ts'

export interface PreviewImport {
  id: string
  mapping?: Mapping | null
  onConflict?: OnConflict | null
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
export async function previewImport(context: Context, { id, mapping, onConflict, rows }: PreviewImport): Promise<PreviewedRow[]> {
  const orgId = organizationOf(context)
  const size = rows ?? 10
  if (size < 1) throw invalid(problem('rows', 'greater_than_equal', size, { ge: 1 }))
  if (size > maxRows) throw invalid(problem('rows', 'less_than_equal', size, { le: maxRows }))
  const given = await getImport(context, id)
  if (given.uploadId === null) throw new AppError('CONFLICT', `The import is ${given.status}, and its file deleted`)
  const checked = await checkMapping(context, given, mapping)
  const read = rowReader(checked, given.columns, await customFieldsOf(context, orgId), await surroundingsOf(context, orgId))
  const found: { row: number; cells: string[]; input: ReturnType<typeof read> }[] = []
  let length = 0
  for await (const { row, cells } of recordsOf(context, { ...given, uploadId: given.uploadId })) {
    if (row <= given.position || (given.hasHeader && row === (given.headerRow ?? 1))) continue
    const input = read(cells)
    const kept = cells.slice(0, maxColumns).map(cell => storableText(cell))
    if (!input.isEmpty) found.push({ row, cells: kept, input })
    length += kept.reduce((sum, cell) => sum + cell.length, 0)
    if (found.length >= size || length >= maxLength || row >= maxSought) break
  }
  const changes = await checkContacts(
    context,
    orgId,
    found.map(({ input }) => input.input),
  )
  const addresses = changes.flatMap(({ fields }) => (fields.email ? [fields.email] : []))
  const existing = addresses.length > 0 ? await context.db.query(contactsByEmail, [orgId, addresses]) : []
  const seen = new Set(existing.map(({ email }) => email?.toLowerCase()))
  const keys = changes.flatMap(keysOf)
  const known = keys.length > 0 ? await context.db.query(contactsByExternalId, [orgId, keys]) : []
  const seenIds = new Set(known.flatMap(({ externalId }) => externalId ?? []))
  return found.map(({ row, cells, input }, index) => {
    const { fields = {}, custom = {}, problems = [] } = changes[index] ?? {}
    const address = fields.email?.toLowerCase()
    const ids = changes[index] ? keysOf(changes[index]) : []
    const hasId = ids.some(id => seenIds.has(id))
    const isTaken = hasId || (address !== undefined && seen.has(address))
    const all = [...input.problems, ...problems]
    if (all.length === 0 && isTaken && !onConflict)
      all.push(
        hasId
          ? { path: ['externalId'], type: 'value_error', message: 'A contact with this external id exists already' }
          : { path: ['email'], type: 'value_error', message: 'A contact with this email exists already' },
      )
    if (all.length === 0 && address !== undefined) seen.add(address)
    if (all.length === 0) for (const id of ids) seenIds.add(id)
    const taken = onConflict === 'skip' ? 'skipped' : 'updated'
    return {
      row,
      cells,
      contact: { ...fields, ...(custom && Object.keys(custom).length > 0 && { custom }) },
      outcome: all.length > 0 ? 'failed' : isTaken ? taken : 'created',
      problem: all.length > 0 ? sentenceOf(all, checked, given.columns) : null,
      warnings: all.length > 0 ? [] : input.warnings.map(warning => inColumn(given, row, warning)),
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
