// GraphQL: suggestions counted by their fields.

import { builder } from '../../graphql/schema/builder.ts'
import { groupArgs, grouping } from '../../graphql/schema/lists/grouping.graphql.ts'
import { groupSuggestions } from './group.ts'
import { SuggestionFilterInput } from './suggestion.graphql.ts'

const SuggestionGroupFieldEnum = builder.enumType('SuggestionGroupField', {
  description: 'A field that suggestions are counted by.',
  values: {
    STATUS: { value: 'status', description: 'The status.' },
    FIELD: { value: 'field', description: 'The field of the record.' },
    PROVIDER: { value: 'provider', description: 'The provider.' },
    VERIFICATION: { value: 'verification', description: 'How well the value is verified.' },
    HOST_APP: { value: 'host_app', description: 'The app of the record.' },
    TARGET_KIND: { value: 'target_kind', description: 'The kind of the record.' },
    CONTACT_ID: { value: 'contact_id', description: 'The contact.' },
    COMPANY_ID: { value: 'company_id', description: 'The company.' },
    CREATED_AT: { value: 'created_at', description: 'When they were made.' },
    DECIDED_AT: { value: 'decided_at', description: 'When they were decided.' },
  } as const,
})

builder.queryField('groupSuggestions', t =>
  t.field({
    ...grouping,
    description: 'Suggestions counted by one or two of their fields, for charts. `sum` and `average` are of the confidence.',
    authScopes: { scope: 'enrich:read' },
    args: {
      ...groupArgs('SuggestionGroupBy', 'suggestions', SuggestionGroupFieldEnum),
      filter: t.arg({ type: SuggestionFilterInput, description: 'Which suggestions. Default: all.' }),
    },
    resolve: (_root, args, context) => groupSuggestions(context, args),
  }),
)
