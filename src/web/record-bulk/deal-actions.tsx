// Actions on the selected deals.

import { Menu } from '@mantine/core'
import { stageOptions, usePipelines } from '../deal-record/choices.ts'
import type { DealFilter } from '../generated/operations.ts'
import { nounWords } from '../language/en/values.ts'
import { RecordActions, type RecordActionsProps } from './actions.tsx'
import { useDealBulk } from './use-deal-bulk.ts'

export default function DealActions(props: RecordActionsProps<DealFilter>) {
  const bulk = useDealBulk()
  return <RecordActions {...props} bulk={bulk} nouns={nounWords.deal} moveItems={onChoose => <StageItems onChoose={onChoose} />} />
}

/** The stages to which many deals move. A lost deal needs a reason of its own. */
function StageItems({ onChoose }: { onChoose(stageId: string): void }) {
  const pipelines = usePipelines().map(pipeline => ({ ...pipeline, stages: pipeline.stages.filter(({ kind }) => kind !== 'LOST') }))
  return stageOptions(pipelines).map(({ value, label }) => (
    <Menu.Item key={value} onClick={() => onChoose(value)}>
      {label}
    </Menu.Item>
  ))
}
