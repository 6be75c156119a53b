// GraphQL: contacts counted by their fields.

import { builder } from '../../graphql/schema/builder.ts'
import { groupArgs, grouping } from '../../graphql/schema/lists/grouping.graphql.ts'
import { ContactFilterInput } from '../contact/list/list.graphql.ts'
import { contactGroupFields, groupContacts } from './group.ts'

const ContactGroupFieldEnum = builder.enumType('ContactGroupField', {
  description: 'A field that contacts are counted by.',
  values: {
    ...Object.fromEntries(
      Object.entries(contactGroupFields).map(([value, { description }]) => [value.toUpperCase(), { value, description }]),
    ),
    CUSTOM: { value: 'custom', description: 'The custom field that `customField` names.' },
  },
})

builder.queryField('groupContacts', t =>
  t.field({
    ...grouping,
    description: 'Contacts counted by one or two of their fields, for charts.',
    authScopes: { scope: 'contacts:read' },
    args: {
      ...groupArgs('ContactGroupBy', 'contacts', ContactGroupFieldEnum),
      filter: t.arg({ type: ContactFilterInput, description: 'Which contacts. Default: all that live.' }),
      customField: t.arg.string({ description: 'The key of the custom field that CUSTOM stands for.' }),
      sumOf: t.arg.string({ description: 'The key of a custom field with numbers: their sum and average.' }),
    },
    resolve: (_root, args, context) => groupContacts(context, args),
  }),
)
