// GraphQL: bulk changes of deals, and moves of many of them.

import { builder } from '../../../graphql/schema/builder.ts'
import { inputFields } from '../../../graphql/schema/fields.graphql.ts'
import { DealFilterInput } from '../../deals/list/list.graphql.ts'
import { dealFields } from '../../deals/row.ts'
import { bulkOf } from '../bulk.graphql.ts'
import { moveInBulk } from '../bulk.ts'

const { expectedClose } = dealFields

const deals = bulkOf('deal', {
  filter: DealFilterInput,
  sets: 'owner or expected close',
  inputs: t => inputFields(t, { expectedClose }),
  outputs: t => ({
    expectedClose: t.field({
      type: 'Date',
      nullable: true,
      description: 'The expected close that it sets; null for none.',
      resolve: ({ parameters }) => parameters.expectedClose ?? null,
    }),
    stageId: t.id({
      nullable: true,
      description: 'The stage to which it moves them.',
      resolve: ({ parameters }) => parameters.move?.stageId ?? null,
    }),
    lostReason: t.string({
      nullable: true,
      description: 'The reason that it gives to lost ones.',
      resolve: ({ parameters }) => parameters.move?.lostReason ?? null,
    }),
  }),
  actions: { move: 'Moves deals to a stage.' },
  refused: 'one with too many tags, or to take back a move from a stage that is gone',
  otherId: 'The deal in its way; null.',
})

const MoveInput = builder.inputType('MoveDealsInBulkInput', {
  description: 'A stage, and the deals that move there.',
  fields: t => ({
    ...deals.selectionFields(t),
    stageId: t.id({ required: true, description: 'The stage, of any pipeline.' }),
    lostReason: t.string({
      description: 'Needed for a lost stage. If the organization keeps reasons (`dealSettings`), one of them.',
      extensions: { maxLength: 200 },
    }),
  }),
})

builder.mutationField('moveDealsInBulk', t =>
  t.field({
    type: deals.Type,
    description:
      'Queues moves of many deals to a stage, behind the last one there, each as `moveDeal` does. `undoDealBulkChange` moves back those that nobody has moved since.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: deals.undoneBy },
    args: { input: t.arg({ type: MoveInput, required: true, description: 'The stage and the deals.' }) },
    resolve: (_parent, { input }, context) => moveInBulk(context, input),
  }),
)
