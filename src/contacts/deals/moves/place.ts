// The place of a deal in its column. The writer of a place has locked the stage, so two deals that are dropped at one place get two places.

import { generateKeyBetween } from 'fractional-indexing'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { valueError } from '../../../kernel/input/problem.ts'
import type { Stage } from '../../pipelines/row.ts'
import { dealsById, lastPlace, placeAfter, placeBefore } from '../deal.sql.ts'

/** Neighbours of the place: at most one of them. Without one, the place is the last one. */
export interface Drop {
  before?: string | null
  after?: string | null
}

/** A place in the locked stage for the deal. Throws INVALID for a neighbour that is not in the stage. */
export async function placeIn({ db }: Context, { orgId, id: stageId }: Stage, dealId: string, { before, after }: Drop): Promise<string> {
  const side = before ? 'before' : 'after'
  const neighbour = before ?? after ?? null
  if (before && after) throw invalid(valueError('after', 'name one neighbour: before or after'))
  if (neighbour === null) {
    const [last] = await db.query(lastPlace, [orgId, stageId])
    return generateKeyBetween(last?.position ?? null, null)
  }
  const [deal] = isId(neighbour) ? await db.query(dealsById, [orgId, [neighbour]]) : []
  if (!deal || deal.deletedAt !== null || deal.stageId !== stageId)
    throw invalid(valueError(side, 'no deal of that stage has this id', neighbour))
  if (deal.id === dealId) throw invalid(valueError(side, 'it is the deal itself', neighbour))
  const [next] = await db.query(before ? placeBefore : placeAfter, [orgId, stageId, deal.position, dealId])
  const other = next?.position ?? null
  return before ? generateKeyBetween(other, deal.position) : generateKeyBetween(deal.position, other)
}
