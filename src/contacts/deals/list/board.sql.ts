// The statement of a board: stages with their deals counted, summed and listed.

import type { Selection } from '../../../database/selection.ts'
import { statement, variants } from '../../../database/statement.ts'
import { integer, jsonb, object, rows, text, uuid } from '../../../database/table.ts'
import { type Condition, conditionsSql } from '../../../kernel/lists/filter-values.ts'
import type { StageKind } from '../../pipelines/row.ts'
import type { DealOnBoard } from '../row.ts'

interface Sum {
  currency: string | null
  count: number
  sum: string | null
}
// Of the stage, with a name of its own: the deal has columns with the same names.
const column = object({
  ...{ id: uuid, orgId: uuid.named('column_org_id'), pipelineId: uuid.named('column_pipeline_id'), name: text, position: integer },
  ...{ kind: text.as<StageKind>(), probability: integer, staleAfterDays: integer.orNull().named('column_stale_after_days') },
})
const ofColumn = rows({ column, sums: jsonb.as<Sum[]>().orNull(), cardId: uuid.orNull() })
const width = ofColumn.described.length

/**
 * $1 organization, $2 pipeline, $3 the most cards of a column, $4 the only stage or null for all, $5 the place behind which the cards begin or
 * null, then the values of the conditions. With conditions it has no name, so each execution is planned for their values.
 */
export function boardStatement(conditions: readonly Condition[], deal: Selection<DealOnBoard>) {
  if (conditions.length === 0) return wholeBoards(`deal_board_${deal.key}`, () => board([], deal))
  const { text, rows } = board(conditions, deal)
  return statement('', text, rows)
}
const wholeBoards = variants(33)

function board(conditions: readonly Condition[], deal: Selection<DealOnBoard>) {
  const where = `org_id = $1 and stage_id = stage.id and deleted_at is null${conditionsSql(conditions, 6)}`
  return {
    text: `select stage.id as column_id, stage.org_id as column_org_id, stage.pipeline_id as column_pipeline_id, stage.name as column_name,
       stage.position as column_position, stage.kind as column_kind, stage.probability as column_probability,
       stage.stale_after_days as column_stale_after_days, total.sums, card.id as card_id, ${deal.of('card')}
     from stages stage
     left join lateral (
       select jsonb_agg(jsonb_build_object('currency', currency, 'count', count, 'sum', sum::text) order by currency nulls last) as sums
       from (select currency, count(*) as count, sum(amount) as sum from deals where ${where} group by currency) each
     ) total on true
     left join lateral (
       select * from deals where ${where} and ($5::text is null or position > $5) order by position limit $3
     ) card on true
     where stage.org_id = $1 and stage.pipeline_id = $2 and ($4::uuid is null or stage.id = $4)
     order by stage.position, stage.id, card.position`,
    rows: {
      described: [...ofColumn.described, ...deal.described],
      row: (cells: readonly never[]) => {
        const own = ofColumn.row(cells.slice(0, width))
        return { ...own, deal: own.cardId === null ? null : deal.row(cells.slice(width)) }
      },
    },
  }
}
