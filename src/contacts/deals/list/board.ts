// The board of a pipeline: its stages as columns, each with its deals counted and summed by currency, and its first cards.

import { type Context, organizationOf } from '../../../kernel/context.ts'
import { decimalOf } from '../../../kernel/currencies/amounts.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { valueError } from '../../../kernel/input/problem.ts'
import type { Stage } from '../../pipelines/row.ts'
import type { Deal } from '../row.ts'
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
  deals: Deal[]
}

const maxCards = 200

/** The columns of the board, in the order of the stages. `cards`: the most cards of each. Throws NOT_FOUND, INVALID. */
export async function dealBoard(
  context: Context,
  { pipelineId, filter, cards }: { pipelineId: string; filter?: DealConditions | null; cards?: number | null },
): Promise<BoardColumn[]> {
  const orgId = organizationOf(context)
  const size = cards ?? 50
  if (size < 1 || size > maxCards) throw invalid(valueError('cards', `it is a number from 1 to ${maxCards}`, size))
  const conditions = conditionsOf(filter)
  const values = [orgId, pipelineId, size, ...conditions.map(({ value }) => value)]
  const found = isId(pipelineId) ? await context.db.query(boardStatement(conditions), values) : []
  // A pipeline always has stages.
  if (found.length === 0) throw notFound('pipeline', pipelineId)
  return [...Map.groupBy(found, row => row.column.id).values()].flatMap(each => {
    const [top] = each
    if (!top) return []
    const sums = (top.sums ?? []).map(({ currency, count, sum }) => ({
      ...{ currency, count, sum: currency === null || sum === null ? null : decimalOf(Number(sum), currency) },
    }))
    const count = sums.reduce((total, one) => total + one.count, 0)
    return [{ stage: top.column, count, sums, deals: each.flatMap(({ deal }) => deal ?? []) }]
  })
}
