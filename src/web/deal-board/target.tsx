// A stage that decides deals, as a target beside the columns: its number and sums, and a way to its deals in the table.

import { useDroppable } from '@dnd-kit/react'
import { useLayoutEffect, useRef } from 'react'
import { boardWords } from '../language/en/deals/board.ts'
import { nounWords } from '../language/en/values.ts'
import { countText } from '../language/format.ts'
import { AnchorLink } from '../pieces/links.tsx'
import type { BoardColumn, DealCard } from './arrange.ts'
import classes from './board.module.css'
import { CardText } from './card.tsx'
import { Head } from './head.tsx'
import type { Focus } from './use-keys.ts'

interface TargetProps {
  column: BoardColumn
  isAim: boolean
  /** The card that keys have brought here. */
  lifted: DealCard | null
  focus: Focus | null
}

export function Target({ column, isAim, lifted, focus }: TargetProps) {
  const { stage, count } = column
  const { ref } = useDroppable({ id: `stage ${stage.id}`, data: { stageId: stage.id } })
  const card = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each press of a key is a new focus.
  useLayoutEffect(() => card.current?.focus({ preventScroll: false }), [focus])
  return (
    <section
      ref={ref}
      className={classes.goal}
      data-kind={stage.kind}
      data-target={isAim || lifted !== null || undefined}
      aria-label={boardWords.column(stage.name, countText(count, nounWords.deal))}
    >
      <Head column={column} />
      {lifted ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the lifted card takes the keys, wherever it is.
        <div ref={card} className={classes.card} data-lifted data-deal={lifted.id} tabIndex={0}>
          <div className={classes.link}>
            <CardText deal={lifted} movedBy={undefined} />
          </div>
        </div>
      ) : (
        <p className={classes.empty}>{boardWords.drop}</p>
      )}
      <AnchorLink to="/deals" search={{ stage: [stage.id] }} size="xs" className={classes.all}>
        {boardWords.show}
      </AnchorLink>
    </section>
  )
}
