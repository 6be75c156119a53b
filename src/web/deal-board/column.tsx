// A column of the board. It renders only the cards in sight, and reads further ones while it is scrolled.

import { useDroppable } from '@dnd-kit/react'
import { ActionIcon, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { memo, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useConnection } from '../data/use-connection.ts'
import { DealColumnDocument } from '../generated/documents/deal-board.ts'
import type { DealFilter } from '../generated/operations.ts'
import { boardWords } from '../language/en/deals/board.ts'
import { nounWords } from '../language/en/values.ts'
import { countText } from '../language/format.ts'
import type { Change } from '../live/change.ts'
import { type BoardColumn, cardsOf, firstCards, type Placed, type Shown, type Spot } from './arrange.ts'
import classes from './board.module.css'
import { Card } from './card.tsx'
import { Head } from './head.tsx'
import { QuickAdd } from './quick-add.tsx'
import type { Contest } from './use-board.ts'
import type { Focus } from './use-keys.ts'

interface ColumnProps {
  column: BoardColumn
  filter: DealFilter
  placed: ReadonlyMap<string, Placed>
  contests: ReadonlyMap<string, Contest>
  others: ReadonlyMap<string, string>
  /** The spot that a dragged card goes to, if it is in this column. */
  aim: Spot | null
  /** The card that is dragged or lifted. */
  heldId: string | null
  isLifted: boolean
  focus: Focus | null
  reachableId: string | null
  mayMove: boolean
  shown: RefObject<Map<string, Shown>>
  onSettle(contest: Contest, insists: boolean): void
  onAdded(): void
}

const pageSize = 50
const isChangedBy = ({ type }: Change) => /^(DEAL|PIPELINE)_/.test(type)
// Pixels of a card without a mark; each is measured when it is rendered.
const usualHeight = 88
// Cards before the end at which the next page is read.
const aheadCards = 10

export const Column = memo(function Column(props: ColumnProps) {
  const { column, filter, placed, contests, others, aim, heldId, focus, shown, mayMove } = props
  const { stage } = column
  const [isLong, setLong] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const list = useConnection({
    document: DealColumnDocument,
    variables: { pipelineId: stage.pipelineId, stageId: stage.id, filter, cards: pageSize },
    pick: ({ dealBoard: [own] }) =>
      own && { nodes: own.deals, pageInfo: { endCursor: own.endCursor, hasNextPage: own.endCursor !== null } },
    isChangedBy,
    isPaused: !isLong,
  })
  const isListed = isLong && list.rows.length > 0
  const deals = isListed ? list.rows : column.deals
  const isWhole = isListed ? !list.hasMore : column.endCursor === null
  const cards = useMemo(() => cardsOf(stage.id, deals, placed), [stage.id, deals, placed])
  useLayoutEffect(() => {
    shown.current.set(stage.id, { cards, isWhole })
  }, [shown, stage.id, cards, isWhole])

  const box = useRef<HTMLDivElement>(null)
  const held = heldId === null ? -1 : cards.findIndex(({ id }) => id === heldId)
  const focused = focus === null ? -1 : cards.findIndex(({ id }) => id === focus.id)
  const virtualizer = useVirtualizer({
    count: cards.length,
    getScrollElement: () => box.current,
    estimateSize: () => usualHeight,
    getItemKey: index => cards[index]?.id ?? index,
    overscan: 4,
    gap: 8,
    // A dragged card and the one with the focus stay, wherever the column is scrolled.
    rangeExtractor: range =>
      [...new Set([...defaultRangeExtractor(range), held, focused])].filter(one => one >= 0).toSorted((a, b) => a - b),
  })
  const items = virtualizer.getVirtualItems()
  const lastInSight = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (isWhole || lastInSight < cards.length - aheadCards) return
    if (!isLong) setLong(true)
    else if (isListed && !list.isLoadingMore) list.loadMore()
  }, [isWhole, isLong, isListed, lastInSight, cards.length, list.isLoadingMore, list.loadMore])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each press of a key is a new focus; other changes of the cards leave it.
  useLayoutEffect(() => {
    if (focus === null || focused < 0) return
    virtualizer.scrollToIndex(focused, { align: 'auto' })
    const take = () => box.current?.querySelector<HTMLElement>(`[data-deal="${focus.id}"]`)?.focus({ preventScroll: true })
    take()
    // A card out of sight is rendered only after the scroll.
    const frame = requestAnimationFrame(take)
    return () => cancelAnimationFrame(frame)
  }, [focus])

  const { ref, isDropTarget } = useDroppable({ id: `stage ${stage.id}`, data: { stageId: stage.id }, collisionPriority: 0 })
  return (
    <section
      ref={ref}
      className={classes.column}
      data-target={isDropTarget || aim !== null || undefined}
      aria-label={boardWords.column(stage.name, countText(column.count, nounWords.deal))}
    >
      <Head
        column={column}
        action={
          mayMove && (
            <ActionIcon aria-label={boardWords.addTo(stage.name)} onClick={() => setAdding(true)}>
              <IconPlus size={16} />
            </ActionIcon>
          )
        }
      />
      {isAdding && <QuickAdd stage={stage} onAdded={props.onAdded} onDone={() => setAdding(false)} />}
      {list.hasNews && isLong && (
        <Button variant="light" size="compact-xs" mx={8} mb={8} onClick={list.refresh}>
          {boardWords.news}
        </Button>
      )}
      <div
        ref={box}
        className={classes.cards}
        onScroll={event => list.onAtTop(event.currentTarget.scrollTop < firstCards * usualHeight)}
        data-scroll-restoration-id={`board ${stage.id}`}
      >
        <ul
          className={classes.list}
          style={{ height: virtualizer.getTotalSize() }}
          data-aim={(aim !== null && aim.before === null) || undefined}
        >
          {items.map(({ index, start, key }) => {
            const deal = cards[index]
            return (
              deal && (
                <Card
                  key={key}
                  deal={deal}
                  isAim={aim?.before === deal.id}
                  isLifted={props.isLifted && heldId === deal.id}
                  isReachable={props.reachableId === deal.id}
                  mayMove={mayMove}
                  movedBy={others.get(deal.id)}
                  contest={contests.get(deal.id)}
                  onSettle={props.onSettle}
                  index={index}
                  top={start}
                  measure={virtualizer.measureElement}
                />
              )
            )
          })}
        </ul>
        {cards.length === 0 && <p className={classes.empty}>{boardWords.empty}</p>}
      </div>
    </section>
  )
})
