// Adds deals to a column by their titles. Enter adds one and waits for the next; Esc ends.

import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMutationWithProblems } from '../data/use-write.ts'
import { CreateDealDocument } from '../generated/documents/deal-record.ts'
import { announce } from '../keyboard/announce.tsx'
import { boardWords } from '../language/en/deals/board.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import type { BoardStage } from './arrange.ts'

interface QuickAddProps {
  stage: BoardStage
  onAdded(): void
  onDone(): void
}

export function QuickAdd({ stage, onAdded, onDone }: QuickAddProps) {
  const [title, setTitle] = useState('')
  const create = useMutationWithProblems(CreateDealDocument)
  const add = async () => {
    const given = title.trim()
    if (given === '') return
    setTitle('')
    const { failure } = await create.run({ input: { title: given, pipelineId: stage.pipelineId, stageId: stage.id } })
    if (failure) {
      setTitle(given)
      return tellRefusal(boardWords.notAdded, failure)
    }
    announce(boardWords.added(given, stage.name))
    onAdded()
  }
  return (
    <TextInput
      size="xs"
      mb="xs"
      mx={8}
      aria-label={boardWords.addTo(stage.name)}
      placeholder={boardWords.addTitle}
      maxLength={200}
      value={title}
      autoFocus
      onChange={event => setTitle(event.currentTarget.value)}
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Enter') void add()
        if (event.key === 'Escape') onDone()
      }}
      // A typed title stays: it is neither added by a click elsewhere nor lost.
      onBlur={() => title.trim() === '' && onDone()}
    />
  )
}
