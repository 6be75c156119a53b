// GraphQL: the board of a pipeline.

import { builder } from '../../../graphql/schema/builder.ts'
import { fieldsIn, selectedRows } from '../../../graphql/schema/lists/selection.graphql.ts'
import { StageType } from '../../pipelines/pipeline.graphql.ts'
import { DealType } from '../deal.graphql.ts'
import { boardProperties, dealTable } from '../row.ts'
import { type BoardColumn, type BoardSum, dealBoard } from './board.ts'
import { DealFilterInput } from './list.graphql.ts'

const DealSumType = builder.objectRef<BoardSum>('DealSum').implement({
  description: 'The deals with amounts in one currency. Amounts of several currencies are never added up.',
  fields: t => ({
    currency: t.exposeString('currency', { nullable: true, description: 'ISO 4217; null for deals without an amount.' }),
    count: t.exposeInt('count', { description: 'How many deals.' }),
    sum: t.exposeString('sum', { nullable: true, description: 'The sum of their amounts, as a decimal text; null without a currency.' }),
  }),
})

const DealBoardColumnType = builder.objectRef<BoardColumn>('DealBoardColumn').implement({
  description: 'A stage with its deals.',
  fields: t => ({
    stage: t.expose('stage', { type: StageType, description: 'The stage.' }),
    count: t.exposeInt('count', { description: 'How many deals it has that match.' }),
    sums: t.expose('sums', { type: [DealSumType], description: 'The deals by currency.' }),
    deals: t.expose('deals', { type: [DealType], description: 'The first deals, in their order.' }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description: 'For `after`: null where no further deal is behind the last one.',
    }),
  }),
})

builder.queryField('dealBoard', t =>
  t.field({
    type: [DealBoardColumnType],
    description: 'The columns of a pipeline, in the order of its stages. NOT_FOUND for a pipeline that does not exist.',
    authScopes: { scope: 'contacts:read' },
    args: {
      pipelineId: t.arg.id({ required: true, description: 'The pipeline.' }),
      filter: t.arg({ type: DealFilterInput, description: 'Which deals. Deleted ones are on no board. Default: all.' }),
      // Not `first`: it counts the deals of each column, and columns are few.
      cards: t.arg.int({ defaultValue: 50, description: 'The most deals of each column, 1 to 200.' }),
      stageId: t.arg.id({ description: 'The only column. Default: all.' }),
      after: t.arg.string({
        description: 'The `endCursor` of the column, behind which its deals continue.',
        extensions: { maxLength: 500 },
      }),
    },
    resolve: (_parent, args, context, info) =>
      dealBoard(context, args, selectedRows(info.schema, 'Deal', fieldsIn(info, 'deals'), dealTable, boardProperties)),
  }),
)
