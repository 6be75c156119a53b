// GraphQL: the company of a contact.

import { builder } from '../../../graphql/schema/builder.ts'
import { readsProperty, selected } from '../../../graphql/schema/lists/selection.graphql.ts'
import { load } from '../../../kernel/dataloaders.ts'
import { CompanyType } from '../../companies/company.graphql.ts'
import { loadCompanies } from '../../companies/company.ts'
import { ContactType } from '../contact.graphql.ts'

builder.objectField(ContactType, 'company', t =>
  t.field({
    type: CompanyType,
    nullable: true,
    description: 'The company; null also while it is deleted.',
    extensions: readsProperty('companyId'),
    async resolve(contact, _args, context) {
      const id = selected('companyId')(contact)
      const company = id === null ? null : await load(context, loadCompanies, id)
      return company?.deletedAt === null ? company : null
    },
  }),
)
