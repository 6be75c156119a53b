// GraphQL: the Company type, the queries for one company, and its timeline.

import { builder, byId, isInternal } from '../../graphql/schema/builder.ts'
import { outputFields } from '../../graphql/schema/fields.graphql.ts'
import { isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { derivedOnce, fieldsIn, readsProperties, selected, selectedRows } from '../../graphql/schema/lists/selection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { recordOutputs } from '../records/record.graphql.ts'
import { TimelineConnection } from '../timeline/timeline.graphql.ts'
import { ofCompanies } from '../timeline/timeline.ts'
import { getCompany, loadCompanies } from './company.ts'
import { revenueOf } from './input.ts'
import { companyFields, companyTable, type ListedCompany, listedProperties } from './row.ts'
import { searchCompanies } from './search.ts'

/** The selection for a field that is a company. */
export const selectedCompany = derivedOnce(info => selectedRows(info.schema, 'Company', fieldsIn(info), companyTable, listedProperties))

export const CompanyType = builder.objectRef<ListedCompany>('Company').implement({
  description: 'An organization that this one deals with.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'A UUIDv7: ids sort by time of creation.' }),
    orgId: t.exposeID('orgId', { description: 'The organization that knows it.' }),
    ...outputFields(t, companyFields),
    annualRevenue: t.string({
      nullable: true,
      description: 'Annual revenue as a decimal text, such as 1500000.50, in `annualRevenueCurrency`.',
      extensions: readsProperties('annualRevenue', 'annualRevenueCurrency'),
      resolve: company =>
        revenueOf({ annualRevenue: selected('annualRevenue')(company), annualRevenueCurrency: selected('annualRevenueCurrency')(company) }),
    }),
    ...recordOutputs(t, 'company'),
    timeline: t.field({
      type: TimelineConnection,
      description:
        'History of the company, its people and its deals, newest first. Of more than 500 people or deals, the 500 that were added last count. Needs `contacts:read`.',
      args: pageArgs,
      resolve: (company, args, context, info) => ofCompanies.of(context, company.id, { ...args, counted: isCounted(info) }),
    }),
  }),
})

builder.queryFields(t => ({
  company: t.field({
    type: CompanyType,
    nullable: true,
    description: 'A company; null with NOT_FOUND for one that is deleted or does not exist.',
    authScopes: { scope: 'contacts:read' },
    args: {
      ...byId,
      includeDeleted: t.arg.boolean({ defaultValue: false, description: 'Finds it deleted as well; `deletedAt` says so.' }),
    },
    resolve: (_parent, { id, includeDeleted }, context) => getCompany(context, id, { evenDeleted: includeDeleted ?? false }),
  }),
  companyTimeline: t.field({
    type: TimelineConnection,
    description: 'The timeline of a company that is not deleted, without the company.',
    authScopes: { scope: 'contacts:read' },
    args: { ...byId, ...pageArgs },
    resolve: (_parent, { id, ...args }, context, info) => ofCompanies.byId(context, id, { ...args, counted: isCounted(info) }),
    // Through `company { timeline }` it takes two statements, one after the other.
    extensions: isInternal,
  }),
}))

noun('company', CompanyType, {
  scope: 'contacts:read',
  load: loadCompanies,
  isInTimelines: true,
  search: { description: 'Companies, by name and domain', find: searchCompanies },
  rank: 2,
})
