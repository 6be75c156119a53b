// A row of the grid. It is memoized, so scrolling does not render visible rows again. It uses plain elements: a Mantine element costs as much as
// the rest of a cell, and scrolling renders thousands of cells a second. The grid handles the row's events.

import { memo, Suspense, useState } from 'react'
import { tableWords } from '../../language/en/frame.ts'
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
            label={tableWords.selectRow}
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

// The comparison ignores callbacks: they are new at each rendering, and the compared props contain the data they use.
const compared = ['row', 'index', 'columns', 'activeColumn', 'isEditing', 'isSelected', 'isOpen'] as const

export const GridRow = memo(GridRowOf, (before, after) => compared.every(name => before[name] === after[name])) as typeof GridRowOf

/** The editor of a cell. It keeps the row from the beginning of the edit, so a write sends the version that the person saw. */
interface CellEditorProps<Row> extends EditorProps<Row> {
  column: Column<Row>
}

function CellEditor<Row>({ column, row, onDone }: CellEditorProps<Row>) {
  const [seen] = useState(row)
  return <Suspense fallback={column.cell(row)}>{column.editor?.({ row: seen, onDone })}</Suspense>
}
