// The order, widths and visibility of a table's columns. This browser stores them under the table's name.

import { useMemo, useState } from 'react'
import type { Column } from './columns.ts'

const defaultWidth = 160
const minWidth = 64

// Only what somebody has chosen.
interface Memory {
  columnOrder?: readonly string[]
  /** Pixels. */
  columnSizing?: Readonly<Record<string, number | undefined>>
  columnVisibility?: Readonly<Record<string, boolean>>
}

export interface TableColumn {
  id: string
  header: string
  /** Pixels. */
  width: number
  isShown: boolean
}

export interface ColumnTable {
  /** In their order. */
  columns: readonly TableColumn[]
  shown: readonly TableColumn[]
  setOrder(ids: readonly string[]): void
  toggle(id: string): void
  /** Undefined for the column's own width. */
  resize(id: string, width: number | undefined): void
}

export function useColumns<Row>(name: string, columns: readonly Column<Row>[]): ColumnTable {
  const [kept, setKept] = useState(() => ({ name, memory: recall(name) }))
  const memory = useMemo(() => (kept.name === name ? kept.memory : recall(name)), [kept, name])
  // The parts of the grid are memoized by this object.
  return useMemo(() => {
    const all = inOrder(columns, memory)
    const change = (changed: Memory) => {
      const next = { ...memory, ...changed }
      setKept({ name, memory: next })
      remember(name, next)
    }
    return {
      columns: all,
      shown: all.filter(({ isShown }) => isShown),
      setOrder: ids => {
        // Hidden columns stay behind those that are ordered.
        const others = all.map(({ id }) => id).filter(id => !ids.includes(id))
        change({ columnOrder: [...ids, ...others] })
      },
      toggle: id => change({ columnVisibility: { ...memory.columnVisibility, [id]: !all.find(column => column.id === id)?.isShown } }),
      resize: (id, width) =>
        change({ columnSizing: { ...memory.columnSizing, [id]: width === undefined ? width : Math.max(minWidth, Math.round(width)) } }),
    }
  }, [name, columns, memory])
}

/** New columns come last. */
function inOrder<Row>(columns: readonly Column<Row>[], { columnOrder = [], columnSizing, columnVisibility }: Memory): TableColumn[] {
  const place = ({ id }: Column<Row>) => (columnOrder.includes(id) ? columnOrder.indexOf(id) : columnOrder.length)
  return columns
    .toSorted((one, other) => place(one) - place(other))
    .map(({ id, header, width = defaultWidth, isHidden = false }) => ({
      ...{ id, header },
      width: columnSizing?.[id] ?? width,
      isShown: columnVisibility?.[id] ?? !isHidden,
    }))
}

const keyOf = (name: string) => `rolocom.columns ${name}`

function recall(name: string): Memory {
  try {
    // Guarantee: `remember` wrote it.
    return JSON.parse(localStorage.getItem(keyOf(name)) ?? '{}')
  } catch {
    // Invalid JSON: uses the defaults.
    return {}
  }
}

function remember(name: string, memory: Memory): void {
  try {
    localStorage.setItem(keyOf(name), JSON.stringify(memory))
  } catch {
    // The browser forbids storage, or it is full: the columns last as long as the page.
  }
}
