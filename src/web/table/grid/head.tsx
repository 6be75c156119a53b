// The header of the grid. It is memoized, so scrolling and new pages do not render it again.

import { Table } from '@mantine/core'
import { memo } from 'react'
import { tableWords } from '../../language/en/frame.ts'
import type { Column } from '../columns.ts'
import { ColumnsMenu } from '../menus/columns-menu.tsx'
import classes from '../table.module.css'
import type { ColumnTable } from '../use-columns.ts'
import { GridHeader } from './header.tsx'
import { RowCheckbox } from './row-checkbox.tsx'

interface GridHeadProps<Row> {
  table: ColumnTable
  visible: readonly Column<Row>[]
  /** Undefined when rows cannot be selected. */
  selected: 'none' | 'some' | 'all' | undefined
  sort: string | undefined
  onSort: ((sort: string) => void) | undefined
  onSelectAll(isAll: boolean): void
}

function GridHeadOf<Row>({ table, visible, selected, sort, onSort, onSelectAll }: GridHeadProps<Row>) {
  return (
    <Table.Thead className={classes.head}>
      <Table.Tr>
        {selected && (
          <Table.Th className={classes.check}>
            <RowCheckbox
              label={tableWords.selectLoaded}
              isChecked={selected === 'all'}
              isMixed={selected === 'some'}
              onClick={() => onSelectAll(selected !== 'all')}
            />
          </Table.Th>
        )}
        {table.shown.map((header, index) => (
          <GridHeader
            key={header.id}
            header={header}
            table={table}
            column={visible[index]}
            isFirst={index === 0}
            isSelectable={selected !== undefined}
            sort={sort}
            onSort={onSort}
          />
        ))}
        <Table.Th className={classes.rest}>
          <ColumnsMenu table={table} />
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
  )
}

// The comparison ignores callbacks: they are new at each rendering, and read the present state when they are called.
const compared = ['table', 'visible', 'selected', 'sort'] as const

export const GridHead = memo(GridHeadOf, (before, after) => compared.every(name => before[name] === after[name])) as typeof GridHeadOf
