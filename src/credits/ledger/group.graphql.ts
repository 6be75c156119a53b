// GraphQL: entries of the ledger counted by their fields.

import { builder } from '../../graphql/schema/builder.ts'
import { groupArgs, grouping } from '../../graphql/schema/lists/grouping.graphql.ts'
import { groupTransactions } from './group.ts'
import { TransactionTypeEnum } from './transaction.graphql.ts'

const TransactionGroupFieldEnum = builder.enumType('CreditTransactionGroupField', {
  description: 'A field that entries of the ledger are counted by.',
  values: {
    TYPE: { value: 'type', description: 'Kind of the entries.' },
    REFERENCE: { value: 'reference', description: 'Reason of the entries.' },
    OPERATION: { value: 'operation', description: 'The name of the operation that wrote them.' },
    CREATED_AT: { value: 'created_at', description: 'When they were written.' },
  } as const,
})

const TransactionMeasureEnum = builder.enumType('CreditTransactionMeasure', {
  description: 'A number of entries that is summed.',
  values: {
    AMOUNT: { value: 'amount', description: 'Credits that they added to the balance; negative for what they took.' },
    SPENT: { value: 'spent', description: 'Credits that work has cost: what debits and settled reservations took.' },
  } as const,
})

builder.queryField('groupCreditTransactions', t =>
  t.field({
    ...grouping,
    description:
      'The entries of the account that `creditBalance` shows, counted by one or two of their fields. Usage by day: by CREATED_AT, with `sumOf: SPENT`.',
    authScopes: { scope: 'credits:read' },
    args: {
      ...groupArgs('CreditTransactionGroupBy', 'entries of the ledger', TransactionGroupFieldEnum),
      typeIn: t.arg({ type: [TransactionTypeEnum], description: 'Only entries of any of these types, at most 20.' }),
      createdSince: t.arg({ type: 'DateTime', description: 'Written at this time or later.' }),
      createdUntil: t.arg({ type: 'DateTime', description: 'Written before this time.' }),
      sumOf: t.arg({ type: TransactionMeasureEnum, description: 'Its sum and average.' }),
    },
    resolve: (_root, args, context) => groupTransactions(context, args),
  }),
)
