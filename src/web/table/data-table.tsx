// The table of every list: a grid with virtual rows and keys, or cards on a phone.

import { Box } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import { loadPart } from '../app/loaded.ts'
import { Grid } from './grid/grid.tsx'
import type PhoneListOf from './phone/list.tsx'
import type { DataTableProps } from './props.ts'
import classes from './table.module.css'
import { useColumns } from './use-columns.ts'

const phone = '(max-width: 48em)'
const load = () => loadPart(() => import('./phone/list.tsx'))
// `as`: `lazy` forgets that the component is for rows of any type.
const PhoneList = lazy(load) as unknown as typeof PhoneListOf
// Beside the first rows, not after them. After a failure `PhoneList` loads it again.
if (window.matchMedia(phone).matches) load().catch(() => null)

export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { name, columns, list, empty, onColumns } = props
  const isPhone = useMediaQuery(phone, undefined, { getInitialValueInEffect: false })
  const table = useColumns(name, columns)
  const byId = useMemo(() => new Map(columns.map(column => [column.id, column])), [columns])
  const shown = table.shown.map(({ id }) => id).join('\n')
  // The array changes only with the columns, because a new array renders all rows again.
  const visible = useMemo(() => shown.split('\n').flatMap(id => byId.get(id) ?? []), [shown, byId])
  useEffect(() => onColumns?.(shown.split('\n')), [shown, onColumns])
  if (!list.isLoading && list.rows.length === 0) return <Box className={classes.empty}>{empty}</Box>
  return isPhone ? (
    <Suspense>
      <PhoneList {...props} table={table} visible={visible} />
    </Suspense>
  ) : (
    <Box className={classes.frame}>
      <Grid {...props} table={table} visible={visible} />
    </Box>
  )
}
