// A list on a phone: its order and columns, and its cards.

import { Group } from '@mantine/core'
import { tableWords } from '../../language/en/frame.ts'
import type { Column } from '../columns.ts'
import { ColumnsMenu } from '../menus/columns-menu.tsx'
import { SortMenu } from '../menus/sort-menu.tsx'
import type { DataTableProps } from '../props.ts'
import classes from '../table.module.css'
import type { ColumnTable } from '../use-columns.ts'
import { Cards } from './cards.tsx'

interface PhoneListProps<Row extends { id: string }> extends DataTableProps<Row> {
  table: ColumnTable
  visible: readonly Column<Row>[]
}

export default function PhoneList<Row extends { id: string }>({ table, ...props }: PhoneListProps<Row>) {
  const { columns, sort, onSort, label } = props
  return (
    <>
      <Group className={classes.tools} justify="space-between" wrap="nowrap" role="group" aria-label={tableWords.arrange(label)}>
        {onSort && columns.some(column => column.sort) ? <SortMenu columns={columns} sort={sort} onSort={onSort} /> : <span />}
        <ColumnsMenu table={table} />
      </Group>
      <Cards {...props} />
    </>
  )
}
