// The table of every list: a grid with virtual rows and keys, or cards on a phone.

import { Box, Group } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useMemo } from 'react'
import { Cards } from './cards.tsx'
import { Grid } from './grid/grid.tsx'
import { ColumnsMenu } from './menus/columns-menu.tsx'
import { SortMenu } from './menus/sort-menu.tsx'
import type { DataTableProps } from './props.ts'
import classes from './table.module.css'
import { useColumns } from './use-columns.ts'

export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { name, columns, list, empty, onColumns } = props
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const table = useColumns(name, columns)
  const byId = useMemo(() => new Map(columns.map(column => [column.id, column])), [columns])
  const shown = table.shown.map(({ id }) => id).join('\n')
  // The array changes only with the columns, because a new array renders all rows again.
  const visible = useMemo(() => shown.split('\n').flatMap(id => byId.get(id) ?? []), [shown, byId])
  useEffect(() => onColumns?.(shown.split('\n')), [shown, onColumns])
  if (!list.isLoading && list.rows.length === 0) return <Box className={classes.empty}>{empty}</Box>
  return isPhone ? (
    <>
      <Group
        className={classes.tools}
        justify="space-between"
        wrap="nowrap"
        role="group"
        aria-label={`Order and columns of ${props.label}`}
      >
        {props.onSort && columns.some(({ sort }) => sort) ? (
          <SortMenu columns={columns} sort={props.sort} onSort={props.onSort} />
        ) : (
          <span />
        )}
        <ColumnsMenu table={table} />
      </Group>
      <Cards {...props} visible={visible} />
    </>
  ) : (
    <Box className={classes.frame}>
      <Grid {...props} table={table} visible={visible} />
    </Box>
  )
}
