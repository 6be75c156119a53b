// GraphQL: deals counted by their fields.

import { builder } from '../../../graphql/schema/builder.ts'
import { groupArgs, grouping } from '../../../graphql/schema/lists/grouping.graphql.ts'
import { dealGroupFields, groupDeals } from './group.ts'
import { DealFilterInput } from './list.graphql.ts'

const DealGroupFieldEnum = builder.enumType('DealGroupField', {
  description: 'A field that deals are counted by.',
  values: Object.fromEntries(
    Object.entries(dealGroupFields).map(([value, { description }]) => [value.toUpperCase(), { value, description }]),
  ),
})

builder.queryField('groupDeals', t =>
  t.field({
    ...grouping,
    description: 'Deals counted by one or two of their fields, and their amounts summed, for charts.',
    authScopes: { scope: 'contacts:read' },
    args: {
      ...groupArgs('DealGroupBy', 'deals', DealGroupFieldEnum),
      filter: t.arg({ type: DealFilterInput, description: 'Which deals. Default: all that live.' }),
      sumAmounts: t.arg.boolean({
        defaultValue: false,
        description: 'The sum and average of the amounts. Needs CURRENCY among the fields, or a filter by currency.',
      }),
      weighted: t.arg.boolean({
        defaultValue: false,
        description: 'With `sumAmounts`, each amount times the probability of its stage, as in a forecast.',
      }),
    },
    resolve: (_root, args, context) => groupDeals(context, args),
  }),
)
