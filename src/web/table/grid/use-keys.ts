// The active cell, the edited cell, and the keys that move between cells.

import { type KeyboardEvent, useState } from 'react'
import type { Selection } from '../use-selection.ts'

export interface Cell {
  row: number
  column: number
}

interface GridKeysOptions {
  rowCount: number
  columnCount: number
  idAt(row: number): string | undefined
  order(): readonly string[]
  isEditable(column: number): boolean
  onOpen(row: number): void
  /** Called for keys that the grid does not use. */
  onRowKey(key: string, row: number): void
  selection: Selection | undefined
}

// About a screen.
const pageRows = 20

export function useGridKeys(options: GridKeysOptions) {
  const { rowCount, columnCount, idAt, order, isEditable, onOpen, onRowKey, selection } = options
  // The row's id keeps the focus and an open editor in their row when rows above it come or go.
  const [active, setCell] = useState<Cell & { id: string | undefined }>({ row: 0, column: 0, id: undefined })
  const [isEditing, setEditing] = useState(false)
  const bounded = {
    row: Math.min(rowOf(active), Math.max(rowCount - 1, 0)),
    column: Math.min(active.column, Math.max(columnCount - 1, 0)),
  }
  const setActive = (cell: Cell) => setCell({ ...cell, id: idAt(cell.row) })

  function rowOf({ row, id }: typeof active): number {
    if (id === undefined || idAt(row) === id) return row
    const found = order().indexOf(id)
    return found === -1 ? row : found
  }

  const move = (rows: number, columns = 0) => {
    const row = Math.min(Math.max(bounded.row + rows, 0), Math.max(rowCount - 1, 0))
    const column = Math.min(Math.max(bounded.column + columns, 0), columnCount - 1)
    setActive({ row, column })
    return row
  }
  const extend = (rows: number) => {
    const id = idAt(move(rows))
    if (id) selection?.extendTo(id, order())
  }

  const onKeyDown = (event: KeyboardEvent) => {
    // The editor handles its own keys; the grid only sees keys that the editor lets through.
    if (isEditing || event.altKey || event.metaKey || (event.ctrlKey && event.key !== 'Home' && event.key !== 'End')) return
    const { shiftKey } = event
    const here = idAt(bounded.row)
    const actions: Record<string, () => unknown> = {
      ArrowDown: () => (shiftKey ? extend(1) : move(1)),
      ArrowUp: () => (shiftKey ? extend(-1) : move(-1)),
      ArrowRight: () => move(0, 1),
      ArrowLeft: () => move(0, -1),
      PageDown: () => move(pageRows),
      PageUp: () => move(-pageRows),
      Home: () => (event.ctrlKey ? move(-rowCount, -columnCount) : move(0, -columnCount)),
      End: () => (event.ctrlKey ? move(rowCount, columnCount) : move(0, columnCount)),
      Enter: () => (isEditable(bounded.column) ? edit(bounded) : onOpen(bounded.row)),
      ' ': () => here && (shiftKey ? selection?.extendTo(here, order()) : selection?.toggle(here)),
      Escape: () => selection?.clear(),
    }
    const action = actions[event.key]
    if (!action) return rowCount > 0 ? onRowKey(event.key, bounded.row) : undefined
    // Without a selection Esc closes the panel.
    if (event.key === 'Escape' && !selection?.ids.size) return
    event.preventDefault()
    event.stopPropagation()
    action()
  }

  const edit = (cell: Cell) => {
    setActive(cell)
    setEditing(true)
  }
  const endEditing = (goesTo: 'cell' | 'next') => {
    const next = Array.from({ length: columnCount }, (_, index) => index).find(index => index > bounded.column && isEditable(index))
    if (goesTo === 'next' && next !== undefined) setActive({ row: bounded.row, column: next })
    else setEditing(false)
  }
  return { active: bounded, setActive, isEditing, edit, endEditing, move, onKeyDown }
}
