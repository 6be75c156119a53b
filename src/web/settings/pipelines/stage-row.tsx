// A stage in the settings: its name, chance and days are edited in their places, arrows move it, and a button deletes it.

import { ActionIcon, NumberInput, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { ReorderStagesDocument, UpdateStageDocument } from '../../generated/documents/settings-pipelines.ts'
import type { PipelineToSetFragment, StageOfDealFragment, UpdateStageInput } from '../../generated/operations.ts'
import { announce } from '../../keyboard/announce.tsx'
import { dealWords } from '../../language/en/deals/deals.ts'
import { pipelineWords as words } from '../../language/en/settings/pipelines.ts'
import { nounWords } from '../../language/en/values.ts'
import { pluralOf } from '../../language/format.ts'
import { tellRefusal } from '../../pieces/notices/refusal.tsx'
import classes from './stage-row.module.css'

interface StageRowProps {
  pipeline: PipelineToSetFragment
  stage: StageOfDealFragment
  index: number
  mayChange: boolean
  onDelete(): void
}

export function StageRow({ pipeline, stage, index, mayChange, onDelete }: StageRowProps) {
  const { id, name, kind, probability, staleAfterDays } = stage
  const update = useMutationWithProblems(UpdateStageDocument)
  const reorder = useMutationWithProblems(ReorderStagesDocument)
  const save = async (change: Partial<Omit<UpdateStageInput, 'id' | 'ifVersion'>>) => {
    const { failure } = await update.run({ input: { id, ifVersion: pipeline.version, ...change } as UpdateStageInput })
    if (failure) tellRefusal(words.notChanged(name), failure)
    else announce(words.changed(name))
  }
  const moveBy = async (step: -1 | 1) => {
    const ids = pipeline.stages.map(one => one.id)
    const stageIds = ids.toSpliced(index, 1).toSpliced(index + step, 0, id)
    const { failure } = await reorder.run({ input: { pipelineId: pipeline.id, ifVersion: pipeline.version, stageIds } })
    if (failure) tellRefusal(words.notChanged(name), failure)
    else announce(words.changed(name))
  }
  const blurOnEnter = (event: React.KeyboardEvent<HTMLInputElement>) => event.key === 'Enter' && event.currentTarget.blur()
  return (
    <li className={classes.stage}>
      <TextInput
        size="xs"
        aria-label={words.nameOf(name)}
        maxLength={100}
        defaultValue={name}
        readOnly={!mayChange}
        onKeyDown={blurOnEnter}
        onBlur={event => {
          const typed = event.currentTarget.value.trim()
          if (typed !== '' && typed !== name) void save({ name: typed })
        }}
      />
      <Text size="xs" c="dimmed">
        {dealWords.state[kind]}
      </Text>
      <NumberInput
        size="xs"
        aria-label={words.probabilityOf(name)}
        suffix=" %"
        min={0}
        max={100}
        allowDecimal={false}
        hideControls
        defaultValue={probability}
        readOnly={!mayChange}
        onKeyDown={blurOnEnter}
        onBlur={event => {
          const typed = Number.parseInt(event.currentTarget.value, 10)
          if (!Number.isNaN(typed) && typed !== probability) void save({ probability: typed })
        }}
      />
      {kind === 'OPEN' ? (
        <NumberInput
          size="xs"
          aria-label={words.staleOf(name)}
          placeholder={words.never}
          suffix={` ${pluralOf(staleAfterDays ?? 2, nounWords.day)}`}
          min={1}
          max={3650}
          allowDecimal={false}
          hideControls
          defaultValue={staleAfterDays ?? ''}
          readOnly={!mayChange}
          onKeyDown={blurOnEnter}
          onBlur={event => {
            const typed = Number.parseInt(event.currentTarget.value, 10)
            const next = Number.isNaN(typed) ? null : typed
            if (next !== staleAfterDays) void save({ staleAfterDays: next })
          }}
        />
      ) : (
        <span />
      )}
      <div className={classes.actions}>
        <ActionIcon aria-label={words.up(name)} disabled={!mayChange || index === 0} onClick={() => void moveBy(-1)}>
          <IconArrowUp size={16} />
        </ActionIcon>
        <ActionIcon
          aria-label={words.down(name)}
          disabled={!mayChange || index === pipeline.stages.length - 1}
          onClick={() => void moveBy(1)}
        >
          <IconArrowDown size={16} />
        </ActionIcon>
        <ActionIcon aria-label={words.delete(name)} disabled={!mayChange} onClick={onDelete}>
          <IconTrash size={16} />
        </ActionIcon>
      </div>
    </li>
  )
}
