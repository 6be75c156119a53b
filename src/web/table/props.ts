// What a screen gives to its table.

import type { ReactNode } from 'react'
import type { Column, TableRows } from './columns.ts'
import type { Selection } from './use-selection.ts'

export interface DataTableProps<Row extends { id: string }> {
  /** What the columns are remembered under: the noun, with the view's id where there are views. */
  name: string
  /** For screen readers: "Contacts". */
  label: string
  /** A constant of the module, or memoized. */
  columns: readonly Column<Row>[]
  list: TableRows<Row>
  /** Enter on a cell that is not edited, and a click on the first column. */
  onOpen(row: Row): void
  /** Which row's panel is open. */
  openId?: string | undefined
  /** Told which columns are shown, in their order. */
  onColumns?: (ids: readonly string[]) => void
  /** Keys of a row beside those of the grid, such as `x`: listed by the screen's own `useShortcut`, or in its menu. */
  onRowKey?: (key: string, row: Row) => void
  sort?: string | undefined
  onSort?: (sort: string) => void
  selection?: Selection
  /** Shown when there are no rows. */
  empty: ReactNode
}
