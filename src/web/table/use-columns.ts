// The order, widths and visibility of a table's columns. This browser stores them under the table's name.

import {
  type ColumnOrderState,
  type ColumnSizingState,
  type ColumnVisibilityState,
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useEffect, useMemo } from 'react'
import type { Column } from './columns.ts'

// The virtual list handles rows: a row model of 20,000 rows would be built again for each page.
const features = tableFeatures({ columnOrderingFeature, columnSizingFeature, columnResizingFeature, columnVisibilityFeature })
const helper = createColumnHelper<typeof features, object>()
const noRows: object[] = []
const defaultWidth = 160
const minWidth = 64

interface Memory {
  columnOrder: ColumnOrderState
  columnSizing: ColumnSizingState
  columnVisibility: ColumnVisibilityState
}

export function useColumns<Row>(name: string, columns: readonly Column<Row>[]) {
  const definitions = useMemo(
    () => columns.map(({ id, header, width = defaultWidth }) => helper.display({ id, header, size: width, minSize: minWidth })),
    [columns],
  )
  // Memoized, because new options would create a new table.
  const options = useMemo(
    () => ({ features, columns: definitions, data: noRows, columnResizeMode: 'onChange' as const, initialState: recall(name, columns) }),
    [definitions, name, columns],
  )
  const table = useTable(options)
  const { columnOrder, columnSizing, columnVisibility } = table.state
  useEffect(() => remember(name, { columnOrder, columnSizing, columnVisibility }), [name, columnOrder, columnSizing, columnVisibility])
  return table
}

export type ColumnTable = ReturnType<typeof useColumns>

const keyOf = (name: string) => `rolocom.columns ${name}`

function recall<Row>(name: string, columns: readonly Column<Row>[]): Memory {
  const ids = columns.map(({ id }) => id)
  const hidden = Object.fromEntries(columns.filter(({ isHidden }) => isHidden).map(({ id }) => [id, false]))
  let kept: Partial<Memory> = {}
  try {
    // Guarantee: `remember` wrote it. Missing columns are dropped, and new ones come last.
    kept = JSON.parse(localStorage.getItem(keyOf(name)) ?? '{}')
  } catch {
    // Invalid JSON: uses the defaults.
  }
  const order = kept.columnOrder?.filter(id => ids.includes(id)) ?? []
  return {
    columnOrder: [...order, ...ids.filter(id => !order.includes(id))],
    columnSizing: kept.columnSizing ?? {},
    columnVisibility: { ...hidden, ...kept.columnVisibility },
  }
}

function remember(name: string, memory: Memory): void {
  try {
    localStorage.setItem(keyOf(name), JSON.stringify(memory))
  } catch {
    // The browser forbids storage, or it is full: the columns last as long as the page.
  }
}
