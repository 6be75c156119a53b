// One row of the grid. Memoized: while the list is scrolled, rows in sight are not rendered again. Of plain elements: each of Mantine's costs as
// much as the rest of a cell, and a scrolled list renders thousands of cells a second. The grid hears what happens in them.

import { memo, Suspense, useState } from 'react'
import type { Column, EditorProps } from '../columns.ts'
import classes from '../table.module.css'
import type { Selection } from '../use-selection.ts'
import { RowCheckbox } from './row-checkbox.tsx'

interface GridRowProps<Row> {
  id: string
  row: Row
  index: number
  columns: readonly Column<Row>[]
  /** -1 when the focus is in another row. */
  activeColumn: number
  isEditing: boolean
  isSelected: boolean
  isOpen: boolean
  selection: Selection | undefined
  onEndEditing(goesTo: 'cell' | 'next'): void
  order(): readonly string[]
}

function GridRowOf<Row>(props: GridRowProps<Row>) {
  const { id, row, index, columns, activeColumn, isEditing, isSelected, isOpen, selection } = props
  return (
    <tr
      className={classes.row}
      aria-rowindex={index + 2}
      aria-selected={selection ? isSelected : undefined}
      data-open={isOpen || undefined}
    >
      {selection && (
        <td className={classes.check}>
          <RowCheckbox
            label="Select the row"
            isChecked={isSelected}
            tabIndex={-1}
            onClick={event => (event.shiftKey ? selection.extendTo(id, props.order()) : selection.toggle(id))}
          />
        </td>
      )}
      {columns.map((column, at) => {
        const isActive = at === activeColumn
        const isEdited = isActive && isEditing && column.editor !== undefined
        return (
          <td
            key={column.id}
            className={classes.cell}
            data-cell={`${index} ${at}`}
            data-first={at === 0 || undefined}
            data-selectable={selection ? true : undefined}
            data-editing={isEdited || undefined}
            data-align={column.align}
            tabIndex={isActive ? 0 : -1}
          >
            {isEdited ? <CellEditor column={column} row={row} onDone={props.onEndEditing} /> : column.cell(row)}
          </td>
        )
      })}
      <td className={classes.cell} />
    </tr>
  )
}

// Callbacks are new at each rendering of the grid; what they act on is in the props that are compared.
const compared = ['row', 'index', 'columns', 'activeColumn', 'isEditing', 'isSelected', 'isOpen'] as const

export const GridRow = memo(GridRowOf, (before, after) => compared.every(name => before[name] === after[name])) as typeof GridRowOf

/** The editor of a cell. It keeps the row that was there when editing began: what it writes names the version that somebody has seen. */
interface CellEditorProps<Row> extends EditorProps<Row> {
  column: Column<Row>
}

function CellEditor<Row>({ column, row, onDone }: CellEditorProps<Row>) {
  const [seen] = useState(row)
  return <Suspense fallback={column.cell(row)}>{column.editor?.({ row: seen, onDone })}</Suspense>
}
