// GraphQL: the orders of lists of jobs and suggestions.

import { builder } from '../graphql/schema/builder.ts'

export const EnrichmentSortEnum = builder.enumType('EnrichmentSort', {
  description: 'Orders of a list of jobs or suggestions.',
  values: {
    CREATED_AT: { value: 'created_at', description: 'Oldest first.' },
    CREATED_AT_DESC: { value: 'created_at_desc', description: 'Newest first.' },
  } as const,
})
