// The properties of a table.

import type { ReactNode } from 'react'
import type { Column, TableRows } from './columns.ts'
import type { Selection } from './use-selection.ts'

interface Finish<Row> {
  /** For screen readers: "The task is done". */
  label(row: Row): string
  isFinished(row: Row): boolean
  isDisabled: boolean
  run(row: Row): void
}

export interface DataTableProps<Row extends { id: string }> {
  /** The name for stored columns: the noun, with the view's id when the list has views. */
  name: string
  /** For screen readers: "Contacts". */
  label: string
  /** A constant of the module, or memoized. */
  columns: readonly Column<Row>[]
  list: TableRows<Row>
  /** Enter in a cell without an editor, or a click in the first column. */
  onOpen(row: Row): void
  /** The id of the row in the panel. */
  openId?: string | undefined
  /** Called with the shown columns, in order. */
  onColumns?: (ids: readonly string[]) => void
  /** Called for keys that the grid does not use, such as `x`. The screen lists them by `useShortcut`, or in its menu. */
  onRowKey?: (key: string, row: Row) => void
  sort?: string | undefined
  onSort?: (sort: string) => void
  selection?: Selection
  /** The action that ends a row: cards on a phone have a checkbox for it, and a swipe to the right. In the grid a column has the checkbox. */
  finish?: Finish<Row> | undefined
  /** Shown when there are no rows. */
  empty: ReactNode
}
