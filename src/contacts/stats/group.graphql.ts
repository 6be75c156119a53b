// GraphQL: contacts counted by their fields.

import { builder } from '../../graphql/schema/builder.ts'
import { groupArgs, grouping } from '../../graphql/schema/lists/grouping.graphql.ts'
import { ContactFilterInput } from '../contact/list/list.graphql.ts'
import { groupContacts } from './group.ts'

const ContactGroupFieldEnum = builder.enumType('ContactGroupField', {
  description: 'A field that contacts are counted by.',
  values: {
    LIFECYCLE_STAGE: { value: 'lifecycle_stage', description: 'The stage.' },
    SOURCE: { value: 'source', description: 'The source.' },
    OWNER_USER_ID: { value: 'owner_user_id', description: 'The member who looks after them.' },
    COMPANY_NAME: { value: 'company_name', description: 'The company.' },
    COMPANY_DOMAIN: { value: 'company_domain', description: "The company's domain." },
    COUNTRY: { value: 'country', description: 'The country.' },
    REGION: { value: 'region', description: 'The region.' },
    CITY: { value: 'city', description: 'The city.' },
    DO_NOT_CALL: { value: 'do_not_call', description: 'Whether they must not be called: `true` or `false`.' },
    TAG: { value: 'tag', description: 'Each tag: a contact counts once for each of its own.' },
    CREATED_AT: { value: 'created_at', description: 'When they were added.' },
    UPDATED_AT: { value: 'updated_at', description: 'When they were last changed.' },
    LAST_CONTACTED_AT: { value: 'last_contacted_at', description: 'When somebody last spoke with them.' },
    CUSTOM: { value: 'custom', description: 'The custom field that `customField` names.' },
  } as const,
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
