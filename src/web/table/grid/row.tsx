// One row of the grid. Memoized: while the list is scrolled, rows in sight are not rendered again.

import { Checkbox, Table } from '@mantine/core'
import { memo } from 'react'
import type { Column } from '../columns.ts'
import classes from '../table.module.css'
import type { Selection } from '../use-selection.ts'
import { CellEditor } from './cell-editor.tsx'
import { Spacer } from './spacer.tsx'
import type { Cell } from './use-keys.ts'

interface GridRowProps<Row> {
  id: string
  row: Row
  index: number
  /** Pixels of rows that are not rendered above this one. */
  gap: number
  columns: readonly Column<Row>[]
  /** -1 when the focus is in another row. */
  activeColumn: number
  isEditing: boolean
  isSelected: boolean
  isOpen: boolean
  selection: Selection | undefined
  onActivate(cell: Cell): void
  onEdit(cell: Cell): void
  onEndEditing(goesTo: 'cell' | 'next'): void
  onOpen(row: Row): void
  order(): readonly string[]
}

function GridRowOf<Row>(props: GridRowProps<Row>) {
  const { id, row, index, gap, columns, activeColumn, isEditing, isSelected, isOpen, selection, onActivate, onEdit, onOpen } = props
  return (
    <>
      <Spacer height={gap} />
      <Table.Tr
        className={classes.row}
        aria-rowindex={index + 2}
        aria-selected={selection ? isSelected : undefined}
        data-open={isOpen || undefined}
      >
        {selection && (
          <Table.Td className={classes.check}>
            <Checkbox
              size="xs"
              aria-label="Select the row"
              checked={isSelected}
              tabIndex={-1}
              onChange={() => undefined}
              onClick={event => (event.shiftKey ? selection.extendTo(id, props.order()) : selection.toggle(id))}
            />
          </Table.Td>
        )}
        {columns.map((column, at) => {
          const isActive = at === activeColumn
          const isEdited = isActive && isEditing && column.editor !== undefined
          return (
            <Table.Td
              key={column.id}
              className={classes.cell}
              data-cell={`${index} ${at}`}
              data-first={at === 0 || undefined}
              data-selectable={selection ? true : undefined}
              data-editing={isEdited || undefined}
              ta={column.align}
              tabIndex={isActive ? 0 : -1}
              onFocus={() => !isActive && onActivate({ row: index, column: at })}
              onClick={() => at === 0 && onOpen(row)}
              onDoubleClick={() => column.editor && onEdit({ row: index, column: at })}
            >
              {isEdited ? <CellEditor column={column} row={row} onDone={props.onEndEditing} /> : column.cell(row)}
            </Table.Td>
          )
        })}
        <Table.Td className={classes.cell} />
      </Table.Tr>
    </>
  )
}

// Callbacks are new at each rendering of the grid; what they act on is in the props that are compared.
const compared = ['row', 'index', 'gap', 'columns', 'activeColumn', 'isEditing', 'isSelected', 'isOpen'] as const

export const GridRow = memo(GridRowOf, (before, after) => compared.every(name => before[name] === after[name])) as typeof GridRowOf
