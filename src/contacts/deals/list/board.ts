// The board of a pipeline: its stages as columns, each with its deals counted and summed by currency, and its first cards.

import type { Selection } from '../../../database/selection.ts'
import { type Context, organizationOf } from '../../../kernel/context.ts'
import { decimalOf } from '../../../kernel/currencies/amounts.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { valueError } from '../../../kernel/input/problem.ts'
import type { Stage } from '../../pipelines/row.ts'
import type { DealOnBoard } from '../row.ts'
import { boardStatement } from './board.sql.ts'
import { conditionsOf, type DealConditions } from './filter.ts'

export interface BoardSum {
  /** Null for deals without an amount. */
  currency: string | null
  count: number
  /** A decimal text; null without a currency. */
  sum: string | null
}
export interface BoardColumn {
  stage: Stage
  count: number
  sums: BoardSum[]
  deals: DealOnBoard[]
  /** The place of the last deal; null where no deal is behind it. */
  endCursor: string | null
}

export interface BoardArgs {
  pipelineId: string
  filter?: DealConditions | null
  /** The most cards of each column. */
  cards?: number | null
  /** The only column. */
  stageId?: string | null
  /** The `endCursor` behind which the cards of the only column begin. */
  after?: string | null
}

const maxCards = 200

// As `placeIn` makes places.
const place = /^[\dA-Za-z]{1,500}$/

/** The columns of the board, in the order of the stages. Throws NOT_FOUND, INVALID. */
export async function dealBoard(
  context: Context,
  { pipelineId, filter, cards, stageId = null, after = null }: BoardArgs,
  deal: Selection<DealOnBoard>,
): Promise<BoardColumn[]> {
  const orgId = organizationOf(context)
  const size = cards ?? 50
  if (size < 1 || size > maxCards) throw invalid(valueError('cards', `it is a number from 1 to ${maxCards}`, size))
  if (after !== null && stageId === null) throw invalid(valueError('after', 'name the stage whose deals continue: stageId', after))
  if (after !== null && !place.test(after)) throw invalid(valueError('after', 'it is no endCursor of a column', after))
  const conditions = conditionsOf(filter)
  // One more card says whether there are others behind.
  const values = [orgId, pipelineId, size + 1, stageId, after, ...conditions.map(({ value }) => value)]
  const found =
    isId(pipelineId) && (stageId === null || isId(stageId)) ? await context.db.query(boardStatement(conditions, deal), values) : []
  // A pipeline always has stages.
  if (found.length === 0)
    throw stageId === null
      ? notFound('pipeline', pipelineId)
      : invalid(valueError('stageId', 'no stage of the pipeline has this id', stageId))
  return [...Map.groupBy(found, row => row.column.id).values()].flatMap(each => {
    const [top] = each
    if (!top) return []
    const sums = (top.sums ?? []).map(({ currency, count, sum }) => ({
      ...{ currency, count, sum: currency === null || sum === null ? null : decimalOf(sum, currency) },
    }))
    const count = sums.reduce((total, one) => total + one.count, 0)
    const deals = each.flatMap(row => row.deal ?? [])
    const shown = deals.slice(0, size)
    return [{ stage: top.column, count, sums, deals: shown, endCursor: deals.length > size ? (shown.at(-1)?.position ?? null) : null }]
  })
}
