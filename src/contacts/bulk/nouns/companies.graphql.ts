// GraphQL: bulk changes of companies.

import { inputFields } from '../../../graphql/schema/fields.graphql.ts'
import { CompanyFilterInput } from '../../companies/list.graphql.ts'
import { companyFields } from '../../companies/row.ts'
import { bulkOf } from '../bulk.graphql.ts'

const { industry, country } = companyFields

bulkOf('company', {
  filter: CompanyFilterInput,
  sets: 'owner, industry or country',
  inputs: t => inputFields(t, { industry, country }),
  outputs: t => ({
    industry: t.string({
      nullable: true,
      description: 'The industry that it sets; null for none.',
      resolve: ({ parameters }) => parameters.industry ?? null,
    }),
    country: t.string({
      nullable: true,
      description: 'The country that it sets; null for none.',
      resolve: ({ parameters }) => parameters.country ?? null,
    }),
  }),
  refused: 'one with too many tags, or to restore one whose domain is taken',
  otherId: 'The company in its way: the one that has its domain, or into which it was merged.',
  restores:
    ' One whose domain is taken, or that was merged into another, is refused: see `failures`. Of several deleted companies with one domain the first is restored.',
})
