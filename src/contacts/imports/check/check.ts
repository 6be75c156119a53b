// Checks a whole file before its import: the outcomes of its rows, its problems in groups, and the values that its fields do not have. Writes
// nothing.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Context, organizationOf } from '../../../kernel/context.ts'
import { AppError } from '../../../kernel/errors.ts'
import { shorten } from '../../../kernel/input/cut.ts'
import { storableText } from '../../../kernel/input/storable.ts'
import type { WriteOutcome } from '../../contact/write.ts'
import { choiceKey, choicesOf, choosable, guessOf, unknownIn } from '../cells/choices.ts'
import { textOf } from '../cells/read.ts'
import { withKnownCompanies } from '../columns/companies.ts'
import { customPrefix } from '../columns/headers.ts'
import type { ReadRow } from '../columns/mapping.ts'
import { getImport } from '../import.ts'
import { linkRows } from '../nouns/links.ts'
import { nounsBeside } from '../parts/parts.ts'
import { recordsOf } from '../records.ts'
import { checkSettings, editor, type GivenSettings, type Reading, readingOf, type Settings } from '../settings.ts'
import { groupProblems, type ProblemGroup } from './groups.ts'
import { outcomeReader } from './outcomes.ts'

export interface UnknownValue {
  column: number
  columnName: string
  /** As `field` of a mapping. */
  field: string
  value: string
  rowCount: number
  /** The value that it probably means, as a choice takes it. */
  suggestion: string | null
}

export interface ImportCheck {
  /** Rows with a value. */
  checkedCount: number
  /** Whether these are all rows of the file. */
  isWhole: boolean
  counts: Record<WriteOutcome, number>
  /** Rows whose contact exists, or that an earlier row has. */
  existingCount: number
  warningCount: number
  groups: ProblemGroup[]
  unknownValues: UnknownValue[]
  /** Also those that the list has no room for. */
  unknownCount: number
}

// The check is answered at once, so it ends with one of these. An import reads all rows, and reports the others.
const maxRows = 100_000
const maxMs = 15_000
const batchSize = 500
// Other requests get their turn after so many milliseconds.
const turnMs = 20
const maxUnknown = 200
// Different values, of all columns: a column of names has as many as rows.
const maxDifferent = 20_000

/** Throws NOT_FOUND, INVALID for invalid settings, and CONFLICT when the file is deleted. */
export async function checkImport(context: Context, { id, ...given }: GivenSettings & { id: string }): Promise<ImportCheck> {
  const orgId = organizationOf(context)
  const found = await getImport(context, id)
  const { uploadId, columns } = found
  if (uploadId === null) throw new AppError('CONFLICT', `The import is ${found.status}, and its file deleted`)
  const settings = await checkSettings(context, found, given)
  const reading = await readingOf(context, found, settings)
  const together = await nounsBeside(context, found)
  const outcomesOf = outcomeReader(context, found, settings.onConflict, reading.customFields, together)
  const unknown = unknownCounter(reading, settings)
  const groups = groupProblems(columns, settings.mapping)
  const check: ImportCheck = {
    ...{ checkedCount: 0, isWhole: true, existingCount: 0, warningCount: 0, groups: [], unknownValues: [], unknownCount: 0 },
    counts: { created: 0, updated: 0, skipped: 0, failed: 0 },
  }
  let batch: (ReadRow & { row: number; cells: string[] })[] = []
  const finishBatch = async () => {
    const rows = await linkRows(context, found, settings.mapping, await withKnownCompanies(context, orgId, batch), together)
    for (const [index, { outcome, isTaken, problems }] of (await outcomesOf(rows)).entries()) {
      const row = rows[index]
      if (!row) continue
      check.counts[outcome]++
      if (isTaken) check.existingCount++
      if (outcome === 'failed') groups.addRefusal(row, problems)
      else {
        check.warningCount += row.warnings.length
        groups.addWarnings(row)
      }
    }
    batch = []
  }
  const began = performance.now()
  let turnBegan = began
  const edited = editor(settings.edits)
  try {
    for await (const record of recordsOf(context, { ...found, uploadId })) {
      if (record.row <= found.position || (found.hasHeader && record.row === (found.headerRow ?? 1))) continue
      if (check.checkedCount >= maxRows || performance.now() - began > maxMs) {
        check.isWhole = false
        break
      }
      const { row, cells } = edited(record)
      const read = reading.read(cells)
      if (read.isEmpty) continue
      check.checkedCount++
      unknown.add(cells)
      batch.push({ row, cells, ...read })
      if (batch.length >= batchSize) await finishBatch()
      if (performance.now() - turnBegan < turnMs) continue
      await nextTurn()
      turnBegan = performance.now()
    }
  } catch (error) {
    // The import writes the rows before a row that cannot be read, and ends there.
    if (!(error instanceof AppError) || error.code !== 'INVALID') throw error
    groups.addEnd(error.message)
    check.isWhole = false
  }
  await finishBatch()
  const values = unknown.values()
  const listed = values.slice(0, maxUnknown).map(one => ({ ...one, columnName: columns[one.column]?.name ?? '' }))
  return { ...check, groups: groups.all(), unknownValues: listed, unknownCount: values.length }
}

function unknownCounter({ customFields, around }: Reading, { mapping, values }: Settings) {
  const definitions = new Map(customFields.map(field => [customPrefix + field.key, field]))
  const choices = choicesOf(values)
  const columns = mapping.flatMap(({ column, field }) => {
    const listed = choosable(field, definitions.get(field))
    return listed === null
      ? []
      : [{ column, field, listed, counted: new Map<string, { value: string; rowCount: number }>(), known: new Set<string>() }]
  })
  let different = 0
  return {
    add(cells: readonly string[]) {
      for (const { column, listed, counted, known } of columns) {
        const text = textOf(cells[column] ?? '')
        if (text === '' || known.has(text)) continue
        const chosen = choices.get(column)
        const found = chosen?.has(choiceKey(text)) ? [] : unknownIn(listed, text, around).filter(item => !chosen?.has(choiceKey(item)))
        // Most cells repeat a value.
        if (found.length === 0 && known.size < maxDifferent) known.add(text)
        for (const item of new Set(found)) {
          const key = choiceKey(item)
          const one = counted.get(key)
          if (one) one.rowCount++
          else if (++different <= maxDifferent) counted.set(key, { value: item, rowCount: 1 })
        }
      }
    },
    values(): Omit<UnknownValue, 'columnName'>[] {
      const all = columns.flatMap(({ column, field, listed, counted }) =>
        [...counted.values()].map(one => ({ column, field, listed, ...one })),
      )
      return all
        .toSorted((one, other) => other.rowCount - one.rowCount)
        .map(({ listed, value, ...one }, index) => ({
          ...one,
          value: shorten(storableText(value), 200),
          // Among 14,000 names of countries each takes a millisecond.
          suggestion: index < maxUnknown ? guessOf(listed, value, around) : null,
        }))
    },
  }
}
