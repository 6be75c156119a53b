// GraphQL: records counted by their fields.

import { builder } from '../../../graphql/schema/builder.ts'
import { groupArgs, grouping } from '../../../graphql/schema/lists/grouping.graphql.ts'
import { companyGroupFields, groupCompanies } from '../../companies/group.ts'
import { CompanyFilterInput } from '../../companies/list.graphql.ts'
import { ContactFilterInput } from '../../contact/list/list.graphql.ts'
import { contactGroupFields, groupContacts } from '../../stats/group.ts'

type Fields = Readonly<Record<string, { description: string }>>

/** The fields of a noun, and the custom field that the query names. */
const groupFieldEnum = (name: string, nouns: string, fields: Fields) =>
  builder.enumType(name, {
    description: `A field that ${nouns} are counted by.`,
    values: {
      ...Object.fromEntries(Object.entries(fields).map(([value, { description }]) => [value.toUpperCase(), { value, description }])),
      CUSTOM: { value: 'custom', description: 'The custom field that `customField` names.' },
    },
  })

const ContactGroupFieldEnum = groupFieldEnum('ContactGroupField', 'contacts', contactGroupFields)
const CompanyGroupFieldEnum = groupFieldEnum('CompanyGroupField', 'companies', companyGroupFields)
const customField = 'The key of the custom field that CUSTOM stands for.'
const sumOf = 'The key of a custom field with numbers: their sum and average.'

builder.queryFields(t => ({
  groupContacts: t.field({
    ...grouping,
    description: 'Contacts counted by one or two of their fields, for charts.',
    authScopes: { scope: 'contacts:read' },
    args: {
      ...groupArgs('ContactGroupBy', 'contacts', ContactGroupFieldEnum),
      filter: t.arg({ type: ContactFilterInput, description: 'Which contacts. Default: all that live.' }),
      customField: t.arg.string({ description: customField }),
      sumOf: t.arg.string({ description: sumOf }),
    },
    resolve: (_root, args, context) => groupContacts(context, args),
  }),
  groupCompanies: t.field({
    ...grouping,
    description: 'Companies counted by one or two of their fields, for charts.',
    authScopes: { scope: 'contacts:read' },
    args: {
      ...groupArgs('CompanyGroupBy', 'companies', CompanyGroupFieldEnum),
      filter: t.arg({ type: CompanyFilterInput, description: 'Which companies. Default: all that live.' }),
      customField: t.arg.string({ description: customField }),
      sumOf: t.arg.string({ description: sumOf }),
    },
    resolve: (_root, args, context) => groupCompanies(context, args),
  }),
}))
