// The stages of the pipeline as steps: a click moves the deal.

import { UnstyledButton } from '@mantine/core'
import { usePipelines } from '../deal-record/choices.ts'
import type { Deal } from '../deal-record/fields.ts'
import { useMoving } from '../deal-record/use-moving.tsx'
import { dealWords } from '../language/en/deals/deals.ts'
import classes from './steps.module.css'

export function Steps({ deal, mayWrite }: { deal: Deal; mayWrite: boolean }) {
  const move = useMoving()
  const stages = usePipelines().find(({ id }) => id === deal.pipelineId)?.stages ?? []
  const open = stages.filter(({ kind }) => kind === 'OPEN')
  const closed = stages.find(({ id, kind }) => id === deal.stageId && kind !== 'OPEN')
  const here = open.findIndex(({ id }) => id === deal.stageId)
  return (
    <ol className={classes.steps} aria-label={dealWords.steps.label}>
      {[...open, ...(closed ? [closed] : [])].map((stage, index) => {
        const isHere = stage.id === deal.stageId
        return (
          <li key={stage.id} className={classes.step}>
            <UnstyledButton
              className={classes.button}
              disabled={!mayWrite || isHere}
              aria-current={isHere ? 'step' : undefined}
              title={isHere ? dealWords.steps.here : undefined}
              data-kind={isHere ? stage.kind : undefined}
              data-passed={stage.kind === 'OPEN' && here >= 0 && index < here ? true : undefined}
              onClick={() => void move(deal, stage)}
            >
              {stage.name}
            </UnstyledButton>
          </li>
        )
      })}
    </ol>
  )
}
