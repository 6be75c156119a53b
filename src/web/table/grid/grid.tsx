// The grid: a real table that renders only the visible rows. One cell has the focus.

import { Box, Skeleton, Table } from '@mantine/core'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, lazy, type MouseEvent, Suspense, type SyntheticEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { loadPart } from '../../app/loaded.ts'
import type { TableDensity } from '../../generated/schema.ts'
import { Late } from '../../pieces/states/late-skeleton.tsx'
import { useTableDensity } from '../../session/preferences.ts'
import type { Column } from '../columns.ts'
import type { DataTableProps } from '../props.ts'
import classes from '../table.module.css'
import type { ColumnTable } from '../use-columns.ts'
import { GridHead } from './head.tsx'
import { GridRow } from './row.tsx'
import { type Cell, useGridKeys } from './use-keys.ts'

const ListKeys = lazy(() => loadPart(() => import('./list-keys.tsx')))

interface GridProps<Row extends { id: string }> extends DataTableProps<Row> {
  table: ColumnTable
  visible: readonly Column<Row>[]
}

// The design's heights, in pixels.
const rowHeights = { COMFORTABLE: 44, COMPACT: 32 } satisfies Record<TableDensity, number>
// Rows before the end at which the next page is loaded: about a screen, so that it arrives before the scroll does.
const aheadRows = 40

export function Grid<Row extends { id: string }>(props: GridProps<Row>) {
  const { table, visible, list, label, onOpen, openId, selection } = props
  const { rows, hasMore, isLoading, isLoadingMore } = list
  const rowHeight = rowHeights[useTableDensity()]
  const box = useRef<HTMLDivElement>(null)
  // Memoized parts keep callbacks from earlier renderings, and must read the present rows.
  const latest = useRef(rows)
  latest.current = rows
  const order = () => latest.current.map(({ id }) => id)
  const keys = useGridKeys({
    rowCount: rows.length,
    columnCount: visible.length,
    idAt: index => rows[index]?.id,
    order,
    isEditable: index => visible[index]?.editor !== undefined,
    onOpen: index => rows[index] !== undefined && onOpen(rows[index]),
    onRowKey: (key, index) => {
      const column = visible.findIndex(({ editKey }) => editKey === key.toLowerCase())
      if (column >= 0) keys.edit({ row: index, column })
      else if (rows[index] !== undefined) props.onRowKey?.(key, rows[index])
    },
    selection,
  })
  const { active } = keys
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    // Also renders the row with the focus: scrolling it away would lose the focus.
    rangeExtractor: range =>
      [...new Set([...defaultRangeExtractor(range), active.row])].toSorted((a, b) => a - b).filter(index => index < rows.length),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the virtualizer keeps the old heights.
  useLayoutEffect(() => virtualizer.measure(), [rowHeight])
  const items = virtualizer.getVirtualItems()
  const lastInSight = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && !isLoadingMore && !isLoading && lastInSight >= rows.length - aheadRows) list.loadMore()
  }, [hasMore, isLoadingMore, isLoading, lastInSight, rows.length, list.loadMore])

  const cellAt = ({ row, column }: Cell) => box.current?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`)
  // Keys move the focus to the active cell. A click sets the focus itself, and must not scroll the list.
  const wasEditing = useRef(false)
  const isFocused = () => {
    // A closing editor drops the focus, and the cell takes it back. If the focus went to another place, it stays there.
    if (wasEditing.current && document.activeElement === document.body) return true
    return box.current?.contains(document.activeElement) ?? false
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the active cell changes or its editor closes.
  useLayoutEffect(() => {
    const isFocusHere = isFocused()
    wasEditing.current = keys.isEditing
    if (!isFocusHere || keys.isEditing) return
    virtualizer.scrollToIndex(active.row, { align: 'auto' })
    // An open panel follows the row that the keys move to.
    const row = rows[active.row]
    if (openId !== undefined && row !== undefined && row.id !== openId && document.activeElement?.matches('[data-cell]')) onOpen(row)
    const focus = () => cellAt(active)?.focus({ preventScroll: true })
    focus()
    // A row out of sight is rendered only after the scroll.
    const frame = requestAnimationFrame(focus)
    return () => cancelAnimationFrame(frame)
  }, [active.row, active.column, keys.isEditing])

  const focusActive = () => {
    virtualizer.scrollToIndex(active.row, { align: 'auto' })
    cellAt(active)?.focus({ preventScroll: true })
  }
  // The row with the focus has left the list, and took the focus with it. The row in its place gets it, so that the next key works.
  const focusedId = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when rows come or go.
  useLayoutEffect(() => {
    if (focusedId.current === null || rows.some(({ id }) => id === focusedId.current)) return
    focusedId.current = null
    if (document.activeElement === document.body && !keys.isEditing) focusActive()
  }, [rows])

  const onFocus = (event: SyntheticEvent) => {
    const cell = cellOf(event)
    focusedId.current = (cell && rows[cell.row]?.id) ?? null
    if (cell && (cell.row !== active.row || cell.column !== active.column)) keys.setActive(cell)
  }
  // With Shift the rows up to this one are selected. The press of the pointer must neither select text nor move the focus, where the range begins.
  const onMouseDown = (event: MouseEvent) => {
    if (event.shiftKey && selection && cellOf(event)) event.preventDefault()
  }
  const onClick = (event: MouseEvent) => {
    const cell = cellOf(event)
    const end = cell && event.shiftKey ? rows[cell.row]?.id : undefined
    if (selection && end !== undefined) return selection.extendTo(end, order(), isFocused() ? rows[active.row]?.id : undefined)
    const row = cell?.column === 0 ? rows[cell.row] : undefined
    if (row !== undefined) onOpen(row)
    if (cell && !keys.isEditing && visible[cell.column]?.editKey) keys.edit(cell)
  }
  const onDoubleClick = (event: SyntheticEvent) => {
    const cell = cellOf(event)
    if (cell && visible[cell.column]?.editor) keys.edit(cell)
  }
  return (
    <Box
      ref={box}
      className={classes.box}
      style={{ '--rc-row': `${rowHeight}px` }}
      data-scroll-restoration-id={`table ${props.name}`}
      onScroll={event => list.onAtTop(event.currentTarget.scrollTop < rowHeight)}
    >
      {rows.length > 0 && (
        <Suspense>
          <ListKeys
            onSelectAll={selection ? () => selection.selectEverything(order()) : null}
            isInside={() => document.activeElement?.matches('[data-cell]') === true && isFocused()}
            onEnter={focusActive}
            onMove={keys.move}
          />
        </Suspense>
      )}
      <Table
        role="grid"
        aria-label={label}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        aria-busy={isLoading}
        className={classes.table}
        w={table.shown.reduce((sum, { width }) => sum + width, 0) + (selection ? 40 : 0) + 48}
        onKeyDown={keys.onKeyDown}
      >
        <GridHead
          table={table}
          visible={visible}
          selected={selection && selectionState(selection.ids.size, rows.length)}
          sort={props.sort}
          onSort={props.onSort}
          onSelectAll={isAll => (isAll ? selection?.replace(order()) : selection?.clear())}
        />
        <Table.Tbody onFocus={onFocus} onMouseDown={onMouseDown} onClick={onClick} onDoubleClick={onDoubleClick}>
          {isLoading && <SkeletonRows count={12} columns={visible.length + (selection ? 2 : 1)} />}
          {items.map((item, position) => {
            const row = rows[item.index]
            if (row === undefined) return null
            const before = items[position - 1]
            const gap = item.start - (before ? before.end : 0)
            const { id } = row
            return (
              <Fragment key={id}>
                <Spacer height={gap} />
                <GridRow
                  id={id}
                  row={row}
                  index={item.index}
                  columns={visible}
                  activeColumn={active.row === item.index ? active.column : -1}
                  isEditing={keys.isEditing && active.row === item.index}
                  isSelected={selection?.ids.has(id) ?? false}
                  isOpen={openId === id}
                  selection={selection}
                  onEndEditing={keys.endEditing}
                  order={order}
                />
              </Fragment>
            )
          })}
          <Spacer height={virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)} />
          {isLoadingMore && <SkeletonRows count={3} columns={visible.length + (selection ? 2 : 1)} />}
        </Table.Tbody>
      </Table>
    </Box>
  )
}

const selectionState = (count: number, loaded: number) => (count === 0 ? 'none' : count < loaded ? 'some' : 'all')

/** The cell of an event; null between cells, and in floating elements. */
function cellOf({ target }: SyntheticEvent): Cell | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-cell]') : null
  const [row, column] = cell?.dataset.cell?.split(' ').map(Number) ?? []
  return row === undefined || column === undefined ? null : { row, column }
}

function Spacer({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus; the rule knows rows of grids only.
    <tr aria-hidden="true">
      <td className={classes.spacer} style={{ height }} />
    </tr>
  )
}

// Real values have different widths.
const widths = ['62%', '78%', '45%', '70%', '54%']

function SkeletonRows({ count, columns }: { count: number; columns: number }) {
  const rows = Array.from({ length: count }, (_, index) => index)
  const cells = Array.from({ length: columns }, (_, index) => index)
  return (
    <Late>
      {rows.map(row => (
        <Table.Tr key={row} aria-hidden="true">
          {cells.map(cell => (
            <Table.Td key={cell}>
              <Skeleton height={10} width={widths[(row + cell) % widths.length]} />
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Late>
  )
}
