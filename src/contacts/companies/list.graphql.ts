// GraphQL: lists of companies, with their filters and orders.

import { builder } from '../../graphql/schema/builder.ts'
import { enumOf } from '../../graphql/schema/fields.graphql.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { selectedFields, selectedRows } from '../../graphql/schema/lists/selection.graphql.ts'
import { valueEnum } from '../../graphql/schema/lists/value-enum.graphql.ts'
import { CustomFieldFilterInput } from '../records/list/custom-filter.graphql.ts'
import { contactSources } from '../records/source.ts'
import { CompanyType } from './company.graphql.ts'
import { listCompanies } from './list.ts'
import { companyTable, emptiableColumns, listedProperties } from './row.ts'

export const CompanySortEnum = builder.enumType('CompanySort', {
  description: 'Orders of a list of companies. Ties are broken by id.',
  values: {
    CREATED_AT: { value: 'created_at', description: 'Oldest first.' },
    CREATED_AT_DESC: { value: 'created_at_desc', description: 'Newest first.' },
    UPDATED_AT: { value: 'updated_at', description: 'Least recently changed first.' },
    UPDATED_AT_DESC: { value: 'updated_at_desc', description: 'Most recently changed first.' },
    NAME: { value: 'name', description: 'By name, without regard to case.' },
    NAME_DESC: { value: 'name_desc', description: 'By name, descending.' },
  } as const,
})

const CompanyConnection = connectionOf('Company', 'companies', CompanyType)

const CompanyValueEnum = valueEnum('CompanyValue', emptiableColumns)

export const CompanyFilterInput = builder.inputType('CompanyFilter', {
  description: 'Which companies a list has. All conditions must hold.',
  fields: t => ({
    q: t.string({ description: 'Words that stand somewhere in name or domain, without regard to case and accents.' }),
    nameContains: t.stringList({ description: 'With any of these texts in the name, without regard to case and accents, at most 20.' }),
    domain: t.string({ description: 'With this domain, first or further; a web address is cut down to it.' }),
    domainIn: t.stringList({ description: 'With any of these domains, at most 20.' }),
    industryIn: t.stringList({ description: 'In any of these industries, at most 20.' }),
    countryIn: t.stringList({ description: 'In any of these countries, at most 20.' }),
    cityIn: t.stringList({ description: 'In any of these cities, at most 20.' }),
    ownerUserId: t.id({ description: 'Looked after by this user.' }),
    ownerUserIdIn: t.idList({ description: 'Looked after by any of these users, at most 20.' }),
    source: t.field({ type: enumOf(contactSources), description: 'From this source.' }),
    sourceIn: t.field({ type: [enumOf(contactSources)], description: 'From any of these sources, at most 20.' }),
    tag: t.string({ description: 'With this tag.' }),
    tagIn: t.stringList({ description: 'With any of these tags, at most 20.' }),
    tagAll: t.stringList({ description: 'With all of these tags, at most 20.' }),
    externalIdIn: t.idList({ description: 'With any of these ids in another system, at most 20.' }),
    employeesMin: t.int({ description: 'With at least this many employees.' }),
    employeesMax: t.int({ description: 'With at most this many employees.' }),
    createdSince: t.field({ type: 'DateTime', description: 'Added then or later.' }),
    createdUntil: t.field({ type: 'DateTime', description: 'Added before.' }),
    updatedSince: t.field({ type: 'DateTime', description: 'Changed then or later.' }),
    updatedUntil: t.field({ type: 'DateTime', description: 'Changed before.' }),
    empty: t.field({ type: [CompanyValueEnum], description: 'Without a value in any of these fields.' }),
    notEmpty: t.field({ type: [CompanyValueEnum], description: 'With a value in each of these fields.' }),
    custom: t.field({ type: [CustomFieldFilterInput], description: 'Conditions on custom fields, at most 20.' }),
    includeDeleted: t.boolean({ description: 'Deleted companies as well. Default: false.' }),
    onlyDeleted: t.boolean({ description: 'Deleted companies alone. Default: false.' }),
  }),
})

builder.queryField('companies', t =>
  t.field({
    type: CompanyConnection,
    description: "The organization's companies.",
    authScopes: { scope: 'contacts:read' },
    args: {
      ...pageArgs,
      filter: t.arg({ type: CompanyFilterInput, description: 'Which companies. Default: all that live.' }),
      sort: t.arg({ type: CompanySortEnum, defaultValue: 'created_at_desc', description: 'In which order.' }),
    },
    resolve: (_parent, args, context, info) =>
      listCompanies(
        context,
        { ...args, counted: isCounted(info) },
        selectedRows(info.schema, 'Company', selectedFields(info), companyTable, listedProperties),
      ),
  }),
)
