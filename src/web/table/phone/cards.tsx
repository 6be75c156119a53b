// A list on a phone: cards of three lines, with the first column as the title. In a low window, as a large one has at a zoom of 200 %, they are lines.

import { Box, Skeleton, Text, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { pieceWords } from '../../language/en/shared/pieces.ts'
import { Late } from '../../pieces/states/late-skeleton.tsx'
import type { Column } from '../columns.ts'
import { RowCheckbox } from '../grid/row-checkbox.tsx'
import type { DataTableProps } from '../props.ts'
import classes from '../table.module.css'
import { Swipe } from './swipe.tsx'

interface CardsProps<Row extends { id: string }> extends DataTableProps<Row> {
  visible: readonly Column<Row>[]
}

const cardHeight = 80
// Ten of them are in sight.
const lineHeight = 26
// As the styles have it.
const lowWindow = '(min-width: 20em) and (max-height: 32em) and (pointer: fine)'
const aheadCards = 20

export function Cards<Row extends { id: string }>({ columns, visible, list, onOpen, label, name, selection, finish }: CardsProps<Row>) {
  const { rows, hasMore, isLoading, isLoadingMore } = list
  const box = useRef<HTMLDivElement>(null)
  const isLow = useMediaQuery(lowWindow, undefined, { getInitialValueInEffect: false }) ?? false
  const height = isLow ? lineHeight : cardHeight
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 8,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: The virtualizer asks again for the height, which is another one.
  useEffect(() => virtualizer.measure(), [height, virtualizer])
  const items = virtualizer.getVirtualItems()
  const lastInSight = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && !isLoadingMore && !isLoading && lastInSight >= rows.length - aheadCards) list.loadMore()
  }, [hasMore, isLoadingMore, isLoading, lastInSight, rows.length, list.loadMore])
  const [title, ...rest] = visible
  const onCard = columns.filter(({ isOnCard }) => isOnCard).toSorted((one, other) => (one.cardPlace ?? 0) - (other.cardPlace ?? 0))
  const others = [...onCard, ...rest.filter(({ isOnCard, cardAction }) => !isOnCard && !cardAction)]
  const actions = visible.flatMap(({ id, cardAction }) => (cardAction ? [{ id, cardAction }] : []))
  return (
    <Box
      ref={box}
      className={classes.box}
      data-scroll-restoration-id={`cards ${name}`}
      onScroll={event => list.onAtTop(event.currentTarget.scrollTop < height)}
    >
      {isLoading && (
        <Late>
          {['a', 'b', 'c', 'd', 'e', 'f'].map(key => (
            <Box key={key} className={classes.card} h={height}>
              <Skeleton height={12} width="55%" />
              <Skeleton height={10} width="75%" />
              <Skeleton height={10} width="40%" />
            </Box>
          ))}
        </Late>
      )}
      <Box component="ul" aria-label={label} className={classes.cards} h={virtualizer.getTotalSize()}>
        {items.map(item => {
          const row = rows[item.index]
          if (row === undefined) return null
          const { id } = row
          const isSelected = selection?.ids.has(id) ?? false
          return (
            <li
              key={id}
              className={classes.place}
              data-selected={isSelected || undefined}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {selection && (
                <Box component="label" className={classes.tick}>
                  <RowCheckbox label={pieceWords.selectCard} isChecked={isSelected} onClick={() => selection.toggle(id)} />
                </Box>
              )}
              <Swipe onSwipe={finish && !finish.isDisabled && !finish.isFinished(row) ? () => finish.run(row) : undefined}>
                {finish && (
                  <Box component="label" className={classes.tick}>
                    <input
                      type="checkbox"
                      className={classes.checkbox}
                      aria-label={finish.label(row)}
                      checked={finish.isFinished(row)}
                      disabled={finish.isDisabled}
                      onChange={() => finish.run(row)}
                    />
                  </Box>
                )}
                <UnstyledButton className={classes.card} h={height} onClick={() => onOpen(row)}>
                  <Text fw={500} truncate component="div" className={classes.title}>
                    {title?.cell(row)}
                  </Text>
                  <CardLine row={row} columns={others.slice(0, 2)} />
                  <CardLine row={row} columns={others.slice(2, 4)} />
                </UnstyledButton>
              </Swipe>
              {actions.map(action => (
                <Box key={action.id} className={classes.action}>
                  {action.cardAction(row)}
                </Box>
              ))}
            </li>
          )
        })}
      </Box>
    </Box>
  )
}

function CardLine<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return (
    <Box className={classes.line}>
      {columns.map(column => (
        <Text key={column.id} size="sm" c="dimmed" truncate component="div">
          {column.cell(row)}
        </Text>
      ))}
    </Box>
  )
}
