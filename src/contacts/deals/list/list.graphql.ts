// GraphQL: lists of deals, with their filters and orders.

import { builder } from '../../../graphql/schema/builder.ts'
import { connectionOf, isCounted, pageArgs } from '../../../graphql/schema/lists/connection.graphql.ts'
import { selectedFields, selectedRows } from '../../../graphql/schema/lists/selection.graphql.ts'
import { valueEnum } from '../../../graphql/schema/lists/value-enum.graphql.ts'
import { CustomFieldFilterInput } from '../../records/list/custom-filter.graphql.ts'
import { DealType } from '../deal.graphql.ts'
import { dealTable, emptiableColumns, listedProperties } from '../row.ts'
import { listDeals } from './list.ts'

export const DealSortEnum = builder.enumType('DealSort', {
  description: 'Orders of a list of deals. Ties are broken by id.',
  values: {
    CREATED_AT: { value: 'created_at', description: 'Oldest first.' },
    CREATED_AT_DESC: { value: 'created_at_desc', description: 'Newest first.' },
    UPDATED_AT: { value: 'updated_at', description: 'Least recently changed first.' },
    UPDATED_AT_DESC: { value: 'updated_at_desc', description: 'Most recently changed first.' },
    TITLE: { value: 'title', description: 'By title, without regard to case.' },
    TITLE_DESC: { value: 'title_desc', description: 'By title, descending.' },
    AMOUNT: { value: 'amount', description: 'Smallest amount first, those without one before all. Currencies are not converted.' },
    AMOUNT_DESC: { value: 'amount_desc', description: 'Largest amount first, those without one last. Currencies are not converted.' },
    EXPECTED_CLOSE: { value: 'expected_close', description: 'Earliest expected close first, those without one last.' },
    EXPECTED_CLOSE_DESC: { value: 'expected_close_desc', description: 'Latest expected close first, those without one before all.' },
  } as const,
})

const DealStateEnum = builder.enumType('DealState', {
  description: 'Whether a deal is decided.',
  values: {
    OPEN: { value: 'open', description: 'Neither won nor lost.' },
    WON: { value: 'won', description: 'Won.' },
    LOST: { value: 'lost', description: 'Lost.' },
  } as const,
})

const DealConnection = connectionOf('Deal', 'deals', DealType)
const DealValueEnum = valueEnum('DealValue', emptiableColumns)

export const DealFilterInput = builder.inputType('DealFilter', {
  description: 'Which deals a list has. All conditions must hold.',
  fields: t => ({
    q: t.string({ description: 'Words that stand somewhere in the title, without regard to case and accents.' }),
    titleContains: t.stringList({ description: 'With any of these texts in the title, without regard to case and accents, at most 20.' }),
    state: t.field({ type: DealStateEnum, description: 'Open, won or lost.' }),
    pipelineId: t.id({ description: 'In this pipeline.' }),
    stageIdIn: t.idList({ description: 'In any of these stages, at most 20.' }),
    companyIdIn: t.idList({ description: 'With any of these companies, at most 20.' }),
    contactId: t.id({ description: 'With this contact.' }),
    ownerUserId: t.id({ description: 'Looked after by this user.' }),
    ownerUserIdIn: t.idList({ description: 'Looked after by any of these users, at most 20.' }),
    currency: t.string({ description: 'With an amount in this currency.' }),
    tag: t.string({ description: 'With this tag.' }),
    tagIn: t.stringList({ description: 'With any of these tags, at most 20.' }),
    tagAll: t.stringList({ description: 'With all of these tags, at most 20.' }),
    externalIdIn: t.idList({ description: 'With any of these ids in another system, at most 20.' }),
    expectedSince: t.field({ type: 'Date', description: 'Expected to be won that day or later.' }),
    expectedUntil: t.field({ type: 'Date', description: 'Expected to be won that day or before.' }),
    createdSince: t.field({ type: 'DateTime', description: 'Added then or later.' }),
    createdUntil: t.field({ type: 'DateTime', description: 'Added before.' }),
    updatedSince: t.field({ type: 'DateTime', description: 'Changed then or later.' }),
    updatedUntil: t.field({ type: 'DateTime', description: 'Changed before.' }),
    empty: t.field({ type: [DealValueEnum], description: 'Without a value in any of these fields.' }),
    notEmpty: t.field({ type: [DealValueEnum], description: 'With a value in each of these fields.' }),
    custom: t.field({ type: [CustomFieldFilterInput], description: 'Conditions on custom fields, at most 20.' }),
    includeDeleted: t.boolean({ description: 'Deleted deals as well. Default: false.' }),
    onlyDeleted: t.boolean({ description: 'Deleted deals alone. Default: false.' }),
  }),
})

builder.queryField('deals', t =>
  t.field({
    type: DealConnection,
    description: "The organization's deals.",
    authScopes: { scope: 'contacts:read' },
    args: {
      ...pageArgs,
      filter: t.arg({ type: DealFilterInput, description: 'Which deals. Default: all that live.' }),
      sort: t.arg({ type: DealSortEnum, defaultValue: 'created_at_desc', description: 'In which order.' }),
    },
    resolve: (_parent, args, context, info) =>
      listDeals(
        context,
        { ...args, counted: isCounted(info) },
        selectedRows(info.schema, 'Deal', selectedFields(info), dealTable, listedProperties),
      ),
  }),
)
