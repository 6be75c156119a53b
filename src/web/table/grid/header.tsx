// A header cell. A click sorts, dragging moves the column, and its right edge resizes it.

import { Group, Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useState } from 'react'
import type { Column } from '../columns.ts'
import classes from '../table.module.css'
import type { ColumnTable, TableColumn } from '../use-columns.ts'
import { ResizeHandle } from './resize-handle.tsx'

interface GridHeaderProps<Row> {
  header: TableColumn
  table: ColumnTable
  column: Column<Row> | undefined
  isFirst: boolean
  isSelectable: boolean
  sort: string | undefined
  onSort: ((sort: string) => void) | undefined
}

export function GridHeader<Row>({ header, table, column, isFirst, isSelectable, sort, onSort }: GridHeaderProps<Row>) {
  const [isTarget, setTarget] = useState(false)
  const [isResizing, setResizing] = useState(false)
  const sorts = column?.sort
  const direction = sorts && sort === sorts.ascending ? 'ascending' : sorts && sort === sorts.descending ? 'descending' : undefined
  const moveHere = (moved: string) => {
    const order = table.shown.map(({ id }) => id)
    const rest = order.filter(id => id !== moved)
    table.setOrder(rest.toSpliced(rest.indexOf(header.id), 0, moved))
  }
  return (
    <Table.Th
      w={header.width}
      className={classes.header}
      aria-sort={direction}
      data-first={isFirst || undefined}
      data-selectable={isSelectable || undefined}
      data-target={isTarget || undefined}
      ta={column?.align}
      draggable={!isFirst && !isResizing}
      onDragStart={event => event.dataTransfer.setData('text/plain', header.id)}
      onDragOver={event => {
        if (isFirst) return
        event.preventDefault()
        setTarget(true)
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={event => {
        setTarget(false)
        moveHere(event.dataTransfer.getData('text/plain'))
      }}
    >
      {sorts && onSort ? (
        <UnstyledButton className={classes.sort} onClick={() => onSort(direction === 'ascending' ? sorts.descending : sorts.ascending)}>
          <Group gap={4} wrap="nowrap" justify={column.align === 'right' ? 'end' : undefined}>
            {column.header}
            {direction === 'ascending' && <IconArrowUp size={14} aria-hidden />}
            {direction === 'descending' && <IconArrowDown size={14} aria-hidden />}
          </Group>
        </UnstyledButton>
      ) : (
        column?.header
      )}
      <ResizeHandle
        width={header.width}
        isResizing={isResizing}
        onResizing={setResizing}
        onResize={width => table.resize(header.id, width)}
      />
    </Table.Th>
  )
}
