// A card of the board: title, company, amount, owner. A click opens the deal; the whole card can be dragged, and lifted by the space bar.

import { useDraggable, useDroppable } from '@dnd-kit/react'
import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo, type Ref, useCallback } from 'react'
import { initialsOf } from '../language/characters.ts'
import { boardWords } from '../language/en/deals/board.ts'
import { moneyText } from '../language/format.ts'
import { dayText } from '../language/zone.ts'
import { Status } from '../pieces/status.tsx'
import type { DealCard } from './arrange.ts'
import classes from './board.module.css'
import type { Contest } from './use-board.ts'

interface CardProps {
  deal: DealCard
  /** The line above the card: a dragged one goes there. */
  isAim: boolean
  isLifted: boolean
  isReachable: boolean
  mayMove: boolean
  /** The name of another person who has just moved it. */
  movedBy: string | undefined
  contest: Contest | undefined
  onSettle(contest: Contest, insists: boolean): void
  index: number
  top: number
  measure: Ref<HTMLLIElement>
}

export const Card = memo(function Card(props: CardProps) {
  const { deal, isAim, isLifted, isReachable, mayMove, movedBy, contest, onSettle, index, top, measure } = props
  const { id, stageId } = deal
  const { ref: dragRef, isDragSource } = useDraggable({ id, data: { deal }, disabled: !mayMove })
  const { ref: dropRef } = useDroppable({ id: `card ${id}`, data: { stageId, dealId: id } })
  const ref = useCallback(
    (element: HTMLElement | null) => {
      dragRef(element)
      dropRef(element)
    },
    [dragRef, dropRef],
  )
  return (
    <li
      ref={measure}
      data-index={index}
      className={classes.place}
      style={{ transform: `translateY(${top}px)` }}
      data-aim={isAim || undefined}
    >
      <div
        ref={ref}
        className={classes.card}
        data-dragged={isDragSource || undefined}
        data-lifted={isLifted || undefined}
        data-moved={movedBy !== undefined || undefined}
      >
        <Link
          to="/deals/$dealId"
          params={{ dealId: id }}
          className={classes.link}
          draggable={false}
          data-deal={id}
          tabIndex={isReachable ? 0 : -1}
          aria-describedby="keys-of-board"
        >
          <CardText deal={deal} movedBy={movedBy} />
        </Link>
        {contest && (
          <div className={classes.contest} role="alert">
            {boardWords.outrun(contest.by, deal.stage?.name ?? '')}
            <Group gap={4} mt={4}>
              <Button size="compact-xs" variant="default" onClick={() => onSettle(contest, false)}>
                {boardWords.leave(deal.stage?.name ?? '')}
              </Button>
              <Button size="compact-xs" onClick={() => onSettle(contest, true)}>
                {boardWords.insist(contest.wanted.name)}
              </Button>
            </Group>
          </div>
        )}
      </div>
    </li>
  )
})

/** The lines of a card. */
export function CardText({ deal, movedBy }: { deal: DealCard; movedBy: string | undefined }) {
  const { title, company, amount, currency, expectedClose, owner, isStale, stage } = deal
  const isOverdue = stage?.kind === 'OPEN' && expectedClose !== null && expectedClose < new Date().toISOString().slice(0, 10)
  const name = owner?.name || owner?.email
  return (
    <>
      <div className={classes.title}>{title}</div>
      {company && <div className={classes.line}>{company.name}</div>}
      {(amount !== null || expectedClose !== null || name) && (
        <div className={classes.foot}>
          <span className={classes.amount}>{amount !== null && moneyText(amount, currency)}</span>
          {expectedClose !== null && (
            <span className={classes.close} data-overdue={isOverdue || undefined} title={isOverdue ? boardWords.overdue : undefined}>
              {dayText(expectedClose)}
            </span>
          )}
          {name && (
            <span className={classes.owner} title={name}>
              {initialsOf(name)}
            </span>
          )}
        </div>
      )}
      {(isStale || movedBy !== undefined) && (
        <div className={classes.marks}>
          {isStale && <Status tone="waiting" label={boardWords.stale} />}
          {movedBy !== undefined && <Status tone="information" label={boardWords.movedBy(movedBy)} />}
        </div>
      )}
    </>
  )
}
