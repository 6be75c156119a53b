// GraphQL: the order of lists by the time of creation.

import { builder } from '../builder.ts'

const AgeSortEnum = builder.enumType('AgeSort', {
  description: 'Orders of a list by the time of creation.',
  values: {
    CREATED_AT: { value: 'created_at', description: 'Oldest first.' },
    CREATED_AT_DESC: { value: 'created_at_desc', description: 'Newest first.' },
  } as const,
})

/** The argument of lists that have no other order. */
export const ageSortArgs = builder.args(t => ({
  sort: t.field({ type: AgeSortEnum, defaultValue: 'created_at_desc', description: 'In which order.' }),
}))
