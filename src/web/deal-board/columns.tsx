// The columns and targets of the board, and the card that is dragged over them or lifted by keys. The toolbar above is not rendered with each
// movement.

import { Accessibility, Cursor, PreventSelection, StyleInjector } from '@dnd-kit/dom'
import { DragDropProvider, type DragMoveEvent, DragOverlay, PointerSensor } from '@dnd-kit/react'
import { VisuallyHidden } from '@mantine/core'
import { useCallback, useMemo, useRef, useState } from 'react'
import { pageNonce } from '../app/nonce.ts'
import type { DealFilter } from '../generated/operations.ts'
import { useShortcut } from '../keyboard/shortcuts.ts'
import { boardWords } from '../language/en/deals/board.ts'
import { type BoardColumn, cardsOf, type DealCard, type Shown, type Spot, spotAt } from './arrange.ts'
import classes from './board.module.css'
import { CardText } from './card.tsx'
import { Column } from './column.tsx'
import { Target } from './target.tsx'
import type { Board } from './use-board.ts'
import { useKeys } from './use-keys.ts'
import { useOthers } from './use-others.ts'

// A card is a link, and is dragged all the same. Its buttons are not.
const sensors = [
  PointerSensor.configure({ preventActivation: ({ target }) => target instanceof Element && target.closest('button, input') !== null }),
]

// The page announces moves itself: the first would make a button of each card, around its link. The others write a style for all elements, which
// the browser then takes 50 ms to lay out.
const unwanted: ReadonlySet<unknown> = new Set([Accessibility, Cursor, PreventSelection])

interface ColumnsProps {
  board: Board
  columns: readonly BoardColumn[]
  filter: DealFilter
  mayMove: boolean
}

export default function Columns({ board, columns, filter, mayMove }: ColumnsProps) {
  const others = useOthers()
  const shown = useRef(new Map<string, Shown>())
  const [dragged, setDragged] = useState<DealCard | null>(null)
  const [aim, setAim] = useState<Spot | null>(null)

  const drop = (deal: DealCard, { stage }: BoardColumn, spot: Spot, now: readonly DealCard[]) => {
    const own = now.findIndex(({ id }) => id === deal.id)
    const isSame = own >= 0 && (spot.before === deal.id || (now[own + 1]?.id ?? null) === spot.before)
    if (isSame) return
    const { cards = [], isWhole = true } = shown.current.get(stage.id) ?? {}
    const last = cards.filter(({ id }) => id !== deal.id).at(-1)
    // By keys the card has left its column already; as the server has it, it is still there.
    const before = deal.stageId === stage.id ? now : cardsOf(deal.stageId, dealsOf(columns, deal.stageId), board.placed)
    const at = before.findIndex(({ id }) => id === deal.id)
    const home = { before: before[at + 1]?.id ?? null, after: before[at - 1]?.id ?? null }
    void board.drop(deal, stage, spot, isWhole ? null : (last?.id ?? null), home)
  }
  /** The cards of a column without what keys have lifted. */
  const standing = (stageId: string) => cardsOf(stageId, dealsOf(columns, stageId), board.placed)
  const keys = useKeys({
    columns,
    shown,
    mayMove,
    onDrop: (deal, column, spot) => drop(deal, column, spot, standing(column.stage.id)),
  })
  useShortcut('space', boardWords.keys.lift, null, { isOn: mayMove })
  useShortcut('arrows', boardWords.keys.move, null)
  const { placed: lifted } = keys
  const placed = useMemo(() => (lifted ? new Map(board.placed).set(lifted.deal.id, lifted) : board.placed), [board.placed, lifted])
  const reachable = keys.focus?.id ?? columns.find(({ stage, deals }) => stage.kind === 'OPEN' && deals.length > 0)?.deals[0]?.id ?? null

  const follow = ({ operation: { target, position } }: Pick<DragMoveEvent, 'operation'>) => {
    const next = target ? spotOf(target.data, target.element, position.current.y, shown.current) : null
    setAim(before => (before?.stageId === next?.stageId && before?.before === next?.before ? before : next))
  }
  const onAdded = useCallback(() => void board.reread(), [board.reread])
  const held = dragged?.id ?? lifted?.deal.id ?? null
  return (
    <>
      <VisuallyHidden id="keys-of-board">{boardWords.keys.help}</VisuallyHidden>
      <DragDropProvider
        sensors={sensors}
        plugins={usual => [StyleInjector.configure({ nonce: pageNonce }), ...usual.filter(one => !unwanted.has(one))]}
        onDragStart={({ operation: { source } }) => {
          keys.bringBack()
          setDragged((source?.data.deal as DealCard | undefined) ?? null)
        }}
        onDragMove={follow}
        onDragOver={follow}
        onDragEnd={({ canceled }) => {
          const column = columns.find(({ stage }) => stage.id === aim?.stageId)
          if (!canceled && dragged && aim && column) drop(dragged, column, aim, standing(column.stage.id))
          setDragged(null)
          setAim(null)
        }}
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the cards in it have the keys. */}
        <div className={classes.board} data-dragging={dragged !== null || undefined} onKeyDown={keys.onKeyDown}>
          {columns
            .filter(({ stage }) => stage.kind === 'OPEN')
            .map(column => (
              <Column
                key={column.stage.id}
                column={column}
                filter={filter}
                placed={placed}
                contests={board.contests}
                others={others}
                aim={aim?.stageId === column.stage.id ? aim : null}
                heldId={held}
                isLifted={keys.isLifted}
                focus={keys.focus}
                reachableId={reachable}
                mayMove={mayMove}
                shown={shown}
                onSettle={board.settle}
                onAdded={onAdded}
              />
            ))}
          <div className={classes.goals}>
            {columns
              .filter(({ stage }) => stage.kind !== 'OPEN')
              .map(column => (
                <Target
                  key={column.stage.id}
                  column={column}
                  isAim={aim?.stageId === column.stage.id}
                  lifted={lifted?.stageId === column.stage.id ? lifted.deal : null}
                  focus={keys.focus}
                />
              ))}
          </div>
        </div>
        <DragOverlay dropAnimation={null}>
          {dragged && (
            <div className={classes.card} data-lifted>
              <div className={classes.link}>
                <CardText deal={dragged} movedBy={undefined} />
              </div>
            </div>
          )}
        </DragOverlay>
      </DragDropProvider>
    </>
  )
}

const dealsOf = (columns: readonly BoardColumn[], stageId: string) => columns.find(({ stage }) => stage.id === stageId)?.deals ?? []

/** The spot under the pointer: above or below the card, or the end of a column. */
function spotOf(
  { stageId, dealId }: { stageId?: string; dealId?: string },
  element: Element | undefined,
  y: number,
  shown: ReadonlyMap<string, Shown>,
): Spot | null {
  if (stageId === undefined) return null
  if (dealId === undefined || !element) return { stageId, before: null }
  const { top, height } = element.getBoundingClientRect()
  if (y < top + height / 2) return { stageId, before: dealId }
  const { cards = [] } = shown.get(stageId) ?? {}
  return spotAt(stageId, cards, cards.findIndex(({ id }) => id === dealId) + 1)
}
