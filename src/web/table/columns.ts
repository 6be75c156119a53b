// Columns of a table, as a screen describes them.

import type { ReactNode } from 'react'

export interface EditorProps<Row> {
  row: Row
  /** Ends editing; the focus returns to the cell, or goes on to the next one that can be edited. */
  onDone(goesTo: 'cell' | 'next'): void
}

/** The sort values of a column with the time of creation. */
export const byAge = { ascending: 'CREATED_AT', descending: 'CREATED_AT_DESC' } as const

export interface Column<Row> {
  id: string
  header: string
  /** What the cell shows. Nothing for an empty value, not a dash. */
  cell(row: Row): ReactNode
  /** Pixels, until somebody resizes it. */
  width?: number
  align?: 'right'
  /** The list's sorts that this column's header switches between. */
  sort?: { ascending: string; descending: string }
  /** Opened by Enter or a double click. */
  editor?: (props: EditorProps<Row>) => ReactNode
  /** Shown only when somebody asks for it. */
  isHidden?: boolean
}

export interface TableRows<Row> {
  rows: readonly Row[]
  hasMore: boolean
  isLoading: boolean
  isLoadingMore: boolean
  loadMore(): void
  /** Told when the list is scrolled away from its top, and back. */
  onAtTop(isAtTop: boolean): void
}
