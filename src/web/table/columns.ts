// The columns of a table, as a screen defines them.

import type { ReactNode } from 'react'

export interface EditorProps<Row> {
  row: Row
  /** Ends editing. The focus returns to the cell, or moves to the next editable cell. */
  onDone(goesTo: 'cell' | 'next'): void
}

/** The sorts of a column with the creation time. */
export const byAge = { ascending: 'CREATED_AT', descending: 'CREATED_AT_DESC' } as const

export interface Column<Row> {
  id: string
  header: string
  /** The cell's content. An empty value shows nothing, not a dash. */
  cell(row: Row): ReactNode
  /** Pixels, until somebody resizes the column. */
  width?: number
  align?: 'right'
  /** The two sorts that a click on the column's header switches between. */
  sort?: { ascending: string; descending: string }
  /** Opens on Enter and on a double click. */
  editor?: (props: EditorProps<Row>) => ReactNode
  /** A click opens the editor, and so does this key in any cell of the row. */
  editKey?: string
  /** For a column of buttons: a card is one large button, so this stands beside it. */
  cardAction?: (row: Row) => ReactNode
  /** On cards it comes before the others, also while it is hidden: what people look for on a phone. */
  isOnCard?: boolean
  /** Its place among those on cards. Default: as in the table. */
  cardPlace?: number
  /** Hidden until somebody adds it. */
  isHidden?: boolean
}

export interface TableRows<Row> {
  rows: readonly Row[]
  hasMore: boolean
  isLoading: boolean
  isLoadingMore: boolean
  loadMore(): void
  /** Called with false when somebody scrolls away from the top, and with true on the way back. */
  onAtTop(isAtTop: boolean): void
}
