// The board of a pipeline: its columns, and the moves of this page, which show at once.

import { useCallback, useMemo, useState } from 'react'
import { useClient, useQuery } from 'urql'
import { type Failure, failureOf } from '../data/failure.ts'
import { moveDeal } from '../deal-record/move-deal.ts'
import { reasonFor } from '../deal-record/use-moving.tsx'
import { DealBoardDocument } from '../generated/documents/deal-board.ts'
import type { DealFilter } from '../generated/operations.ts'
import { announce } from '../keyboard/announce.tsx'
import { boardWords } from '../language/en/deals/board.ts'
import { dealWords } from '../language/en/deals/deals.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { offerUndo } from '../pieces/notices/undo.tsx'
import { type BoardColumn, type BoardStage, type DealCard, firstCards, type Placed, type Spot } from './arrange.ts'

/** Somebody else has moved the card while this person did. */
export interface Contest {
  deal: DealCard
  by: string
  wanted: BoardStage
  reason: { lostReason?: string }
}

/** The neighbours of a card before its move; null at an end of its column. */
interface Home {
  before: string | null
  after: string | null
}

export interface Board {
  columns: readonly BoardColumn[] | null
  failure: Failure | null
  placed: ReadonlyMap<string, Placed>
  contests: ReadonlyMap<string, Contest>
  reread(): Promise<unknown>
  /** Moves a card, and offers to move it back to `home`. Asks for the reason of a loss before. */
  drop(deal: DealCard, stage: BoardStage, spot: Spot, behind: string | null, home: Home): Promise<void>
  /** Ends a contest: the card stays, or goes where this person wanted it. */
  settle(contest: Contest, insists: boolean): void
}

export function useBoard(pipelineId: string | undefined, filter: DealFilter): Board {
  const client = useClient()
  const key = JSON.stringify(filter)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the filter, which is a new object at each rendering.
  const variables = useMemo(() => ({ pipelineId: pipelineId ?? '', filter, cards: firstCards }), [pipelineId, key])
  const [{ data, error }] = useQuery({
    query: DealBoardDocument,
    variables,
    pause: pipelineId === undefined,
    requestPolicy: 'cache-and-network',
  })
  const [placed, setPlaced] = useState<ReadonlyMap<string, Placed>>(new Map())
  const [contests, setContests] = useState<ReadonlyMap<string, Contest>>(new Map())
  const reread = useCallback(
    () => client.query(DealBoardDocument, variables, { requestPolicy: 'network-only' }).toPromise(),
    [client, variables],
  )
  const move = useCallback(
    async (deal: DealCard, stage: BoardStage, spot: Spot, behind: string | null, reason: { lostReason?: string }, home?: Home) => {
      const { id, title, stage: from, lostReason } = deal
      setContests(before => without(before, id))
      setPlaced(before => new Map(before).set(id, { deal, ...spot }))
      const place = spot.before !== null ? { before: spot.before } : behind !== null ? { after: behind } : {}
      const moved = await moveDeal(client, deal, { stageId: stage.id, ...place, ...reason })
      // Until the board is read again, the card stays where it was dropped.
      await reread()
      setPlaced(before => without(before, id))
      if (moved.kind === 'refused') return tellRefusal(dealWords.moving.notMoved(title), moved.failure)
      if (moved.kind === 'outrun') {
        const { deal: theirs, by } = moved
        announce(boardWords.othersMoved(by, title, theirs.stage?.name ?? ''))
        return setContests(before => new Map(before).set(id, { deal: theirs, by, wanted: stage, reason }))
      }
      if (!home || !from) return
      const back = () =>
        void move(moved.deal, from, { stageId: from.id, before: home.before }, home.after, lostReason === null ? {} : { lostReason })
      offerUndo(from.id === stage.id ? boardWords.reordered(title) : dealWords.moving.moved(title, stage.name), back)
    },
    [client, reread],
  )
  const drop = useCallback(
    async (deal: DealCard, stage: BoardStage, spot: Spot, behind: string | null, home: Home) => {
      // At once where nothing is asked: a dropped card must not go back for a moment.
      if (stage.kind !== 'LOST') return move(deal, stage, spot, behind, {}, home)
      const reason = await reasonFor(client, deal, stage)
      if (reason !== null) await move(deal, stage, spot, behind, reason, home)
    },
    [client, move],
  )
  const settle = useCallback(
    (contest: Contest, insists: boolean) => {
      const { deal, wanted, reason } = contest
      if (insists) void move(deal, wanted, { stageId: wanted.id, before: null }, null, reason)
      else setContests(before => without(before, deal.id))
    },
    [move],
  )
  const columns = data?.dealBoard ?? null
  return { columns, failure: error && !columns ? failureOf(error) : null, placed, contests, reread, drop, settle }
}

function without<Value>(map: ReadonlyMap<string, Value>, id: string): ReadonlyMap<string, Value> {
  const rest = new Map(map)
  rest.delete(id)
  return rest
}
