// Moves a deal to another stage from the table or its page: asks for the reason of a loss, offers an undo, and asks when somebody else was faster.

import { modals } from '@mantine/modals'
import { useCallback } from 'react'
import { type Client, useClient } from 'urql'
import { loadPart } from '../app/loaded.ts'
import { dealWords } from '../language/en/deals/deals.ts'
import { fieldWords } from '../language/en/values.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { offerUndo } from '../pieces/notices/undo.tsx'
import type { Stage } from './choices.ts'
import { moveDeal, type SeenDeal } from './move-deal.ts'

const words = dealWords.moving

type Target = Pick<Stage, 'id' | 'name' | 'kind'>

export function useMoving(): (deal: SeenDeal, stage: Target) => Promise<void> {
  const client = useClient()
  return useCallback((deal, stage) => move(client, deal, stage), [client])
}

/** The reason that the stage needs; null when the person has thought better of it. */
export async function reasonFor(client: Client, { title }: Pick<SeenDeal, 'title'>, { kind }: Pick<Target, 'kind'>) {
  if (kind !== 'LOST') return {}
  const { askLostReason } = await loadPart(() => import('./lost-reason.tsx'))
  const lostReason = await askLostReason(client, title)
  return lostReason === null ? null : { lostReason }
}

async function move(client: Client, deal: SeenDeal, stage: Target, known?: { lostReason?: string }): Promise<void> {
  if (stage.id === deal.stageId) return
  const reason = known ?? (await reasonFor(client, deal, stage))
  if (reason === null) return
  const moved = await moveDeal(client, deal, { stageId: stage.id, ...reason })
  if (moved.kind === 'refused') return tellRefusal(words.notMoved(deal.title), moved.failure)
  if (moved.kind === 'moved') {
    const { stage: before, lostReason } = deal
    const back = () => before && void move(client, moved.deal, before, lostReason === null ? {} : { lostReason })
    return offerUndo(words.moved(deal.title, stage.name), back)
  }
  const { Conflict } = await loadPart(() => import('../pieces/states/conflict.tsx'))
  const id = modals.open({
    title: words.outrun(moved.by, deal.title),
    withCloseButton: false,
    children: (
      <Conflict
        label={fieldWords.stageId}
        yours={stage.name}
        theirs={moved.deal.stage?.name ?? ''}
        onTakeTheirs={() => modals.close(id)}
        onKeepYours={() => {
          modals.close(id)
          void move(client, moved.deal, stage, reason)
        }}
      />
    ),
  })
}
