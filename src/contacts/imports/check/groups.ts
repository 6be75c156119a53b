// The problems of a file in groups: the same problem of one column is told once, with the number of its rows and the first of its cells.

import { shorten } from '../../../kernel/input/cut.ts'
import type { Problem } from '../../../kernel/input/problem.ts'
import { storableText } from '../../../kernel/input/storable.ts'
import type { ImportColumn } from '../columns/columns.ts'
import { customPrefix } from '../columns/headers.ts'
import type { Mapping, ReadRow } from '../columns/mapping.ts'

export interface ProblemCell {
  row: number
  value: string
}

export interface ProblemGroup {
  /** A row with an error is not imported; a cell with a warning is left out or changed, and its row imported. */
  kind: 'error' | 'warning'
  /** The column's index in the file; null for a problem of the whole row. */
  column: number | null
  columnName: string | null
  message: string
  rowCount: number
  /** The first cells; for a problem of the whole row, the row as one text. */
  cells: ProblemCell[]
}

const maxCells = 20
const maxGroups = 100

type Row = ReadRow & { row: number; cells: readonly string[] }

export function groupProblems(columns: readonly ImportColumn[], mapping: Mapping) {
  const groups = new Map<string, ProblemGroup>()
  const add = (kind: ProblemGroup['kind'], column: number | null, message: string, { row, cells }: Pick<Row, 'row' | 'cells'>) => {
    // `the row has 4 cells` and `the row has 5 cells` are one problem.
    const key = `${kind} ${column} ${message.replace(/"[^"]*"|\d+/g, '#')}`
    const group = groups.get(key)
    const value = column === null ? cells.filter(cell => cell.trim() !== '').join(', ') : (cells[column] ?? '')
    const cell = { row, value: shorten(storableText(value), 200) }
    if (group) {
      group.rowCount++
      if (group.cells.length < maxCells) group.cells.push(cell)
    } else if (groups.size < maxGroups)
      groups.set(key, {
        kind,
        column,
        columnName: column === null ? null : (columns[column]?.name ?? null),
        message,
        rowCount: 1,
        cells: [cell],
      })
  }
  return {
    addRefusal(row: Row, problems: readonly Problem[]) {
      // Only cells with problems: each is told in its column, where it can be edited.
      if (problems.every(({ path }) => path.length === 0) && row.warnings.length > 0 && Object.keys(row.input).length === 0) {
        for (const { column, reason } of row.warnings) add('error', column, shorten(storableText(withoutValues(reason)), 500), row)
        return
      }
      for (const problem of problems.slice(0, 5)) {
        const [first, second] = problem.path
        const field = first === 'custom' ? `${customPrefix}${second}` : String(first)
        const column = first === undefined ? null : (mapping.find(one => one.field === field)?.column ?? null)
        add('error', column, shorten(storableText(problem.message.replace(/^Value error, /, '')), 500), row)
      }
    },
    addWarnings(row: Row) {
      for (const { column, reason } of row.warnings) add('warning', column, shorten(storableText(withoutValues(reason)), 500), row)
    },
    /** The file cannot be read further. */
    addEnd(message: string) {
      add('error', null, message, { row: 0, cells: [] })
    },
    all: (): ProblemGroup[] =>
      [...groups.values()].toSorted((one, other) =>
        one.kind === other.kind ? other.rowCount - one.rowCount : one.kind === 'error' ? -1 : 1,
      ),
  }
}

// Reasons that name a value of their cell.
const withoutValues = (reason: string) =>
  reason
    .replace(/\bonly (?!the first)[^;]{1,120} is imported/, 'only the first is imported')
    .replace(/which are left out: .{1,400}$/s, 'which are left out')
    .replace(/has the extension \d{1,8}/, 'has an extension')
