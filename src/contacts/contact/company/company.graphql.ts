// GraphQL: the company of a contact, and the contacts of a company.

import { builder, byId, isInternal } from '../../../graphql/schema/builder.ts'
import { isCounted, pageArgs } from '../../../graphql/schema/lists/connection.graphql.ts'
import { readsProperty, selected } from '../../../graphql/schema/lists/selection.graphql.ts'
import { CompanyType, selectedCompany } from '../../companies/company.graphql.ts'
import { getCompany, liveCompany } from '../../companies/company.ts'
import { ContactType } from '../contact.graphql.ts'
import { ContactConnection } from '../list/list.graphql.ts'
import { companyContacts } from './contacts.ts'

builder.objectField(ContactType, 'company', t =>
  t.field({
    type: CompanyType,
    nullable: true,
    description: 'The company; null also while it is deleted.',
    extensions: readsProperty('companyId'),
    resolve: (contact, _args, context, info) => liveCompany(context, selected('companyId')(contact), selectedCompany(context, info)),
  }),
)

builder.objectField(CompanyType, 'contacts', t =>
  t.field({
    type: ContactConnection,
    description:
      'Its contacts that are not deleted, newest first. The list `contacts` has them in other orders, with the filter `companyId`.',
    args: pageArgs,
    resolve: ({ id }, args, context, info) => companyContacts(context, id, { ...args, counted: isCounted(info) }),
  }),
)

builder.queryField('companyContacts', t =>
  t.field({
    type: ContactConnection,
    description: 'The contacts of a company that is not deleted, without the company.',
    authScopes: { scope: 'contacts:read' },
    args: { ...byId, ...pageArgs },
    resolve: async (_parent, { id, ...args }, context, info) => {
      const company = await getCompany(context, id)
      return companyContacts(context, company.id, { ...args, counted: isCounted(info) })
    },
    extensions: isInternal,
  }),
)
