// GraphQL, for tools: duplicates and merges of records of any noun. A tool asks for one field, and there are few tools; other callers have the
// fields of each noun.

import type { ObjectRef } from '@pothos/core'
import { builder, isInternal } from '../../graphql/schema/builder.ts'
import { connectionOf } from '../../graphql/schema/lists/connection.graphql.ts'
import { invalid } from '../../kernel/errors.ts'
import { valueError } from '../../kernel/input/problem.ts'
import { defaultPageSize, maxPageSize } from '../../kernel/lists/pagination.ts'
import { CompanyType } from '../companies/company.graphql.ts'
import { ContactType } from '../contact/contact.graphql.ts'
import { pairTypes } from '../duplicates/duplicate.graphql.ts'
import type { DuplicatePair } from '../duplicates/pair.ts'
import type { MergedField } from './decide.ts'
import { MergeCustomFieldInput, MergedFieldType, MergeSideEnum, mergeTypes } from './merge.graphql.ts'
import { anyChosenFields, duplicatesOfNoun, mergeRecords, previewOfRecords, type RecordChoices, undoMergeOfRecords } from './records.ts'

const NounEnum = builder.enumType('MergedNoun', {
  description: 'Noun whose records are merged.',
  values: {
    CONTACT: { value: 'contact', description: 'Contacts.' },
    COMPANY: { value: 'company', description: 'Companies.' },
  } as const,
})

const PairUnion = builder.unionType('RecordDuplicatePair', {
  description: 'Two records that may be the same.',
  types: [pairTypes.contact, pairTypes.company],
  resolveType: ({ noun }) => pairTypes[noun].name,
})
// `as`: a connection may have any type of nodes, and its rows are these pairs.
const PairNode = PairUnion as unknown as ObjectRef<typeof builder.$inferSchemaTypes, DuplicatePair<object>>
const PairConnection = connectionOf('RecordDuplicatePair', 'pairs of records that may be the same', PairNode)

const MergeUnion = builder.unionType('RecordMerge', {
  description: 'Two records that were merged into one.',
  types: [mergeTypes.contact, mergeTypes.company],
  resolveType: ({ noun }) => mergeTypes[noun].name,
})

interface DismissedRecord {
  noun: keyof typeof pairTypes
  id: string
}
const RecordUnion = builder.unionType('MergedRecord', {
  description: 'A record of a noun whose records are merged.',
  types: [ContactType, CompanyType],
  resolveType: record => ((record as object as DismissedRecord).noun === 'contact' ? ContactType.name : CompanyType.name),
})

const PreviewType = builder.objectRef<{ fields: readonly MergedField[] }>('RecordMergePreview').implement({
  description: 'Result of a merge that is not done.',
  fields: t => ({
    fields: t.field({
      type: [MergedFieldType],
      description: 'The fields in which one of the two has a value.',
      resolve: ({ fields }) => fields,
    }),
  }),
})

const noun = { required: true, description: 'Whether they are contacts or companies.' } as const
const pair = { winnerId: 'The record that stays.', loserId: 'The record that is merged into it.' }

builder.queryFields(t => ({
  recordDuplicates: t.field({
    type: PairConnection,
    description:
      'Pairs of live contacts or companies that may be the same, the surest first. Dismissed pairs, and pairs whose shared value more than 20 have, are left out.',
    authScopes: { scope: 'contacts:read' },
    extensions: isInternal,
    args: {
      noun: t.arg({ type: NounEnum, ...noun }),
      first: t.arg.int({ description: `Entries of the page, 1 to ${maxPageSize}. Default: ${defaultPageSize}.` }),
      after: t.arg.string({ description: 'The `endCursor` of the page before.' }),
    },
    resolve: (_root, { noun, ...args }, context) => duplicatesOfNoun(noun).list(context, args),
  }),
  recordMergePreview: t.field({
    type: PreviewType,
    nullable: true,
    description: 'The fields that merging two contacts or two companies would result in.',
    authScopes: { scope: 'contacts:read' },
    extensions: isInternal,
    args: {
      noun: t.arg({ type: NounEnum, ...noun }),
      winnerId: t.arg.id({ required: true, description: pair.winnerId }),
      loserId: t.arg.id({ required: true, description: pair.loserId }),
    },
    resolve: (_root, args, context) => previewOfRecords(context, args),
  }),
}))

const FieldsInput = builder.inputType('MergeRecordFieldsInput', {
  description:
    "The record whose values are kept, also empty ones. Default: the winner's values, and where it has none the loser's. Contacts and companies have some of these fields each.",
  fields: t => ({
    ...Object.fromEntries(
      anyChosenFields.map(field => [field, t.field({ type: MergeSideEnum, description: `The record whose \`${field}\` is kept.` })]),
    ),
    custom: t.field({ type: [MergeCustomFieldInput], description: 'Of custom fields.' }),
  }),
})
const MergeInput = builder.inputType('MergeRecordsInput', {
  description: 'Two records to merge.',
  fields: t => ({
    noun: t.field({ type: NounEnum, ...noun }),
    winnerId: t.id({ required: true, description: pair.winnerId }),
    loserId: t.id({ required: true, description: pair.loserId }),
    fields: t.field({ type: FieldsInput, description: 'The record whose values are kept.' }),
  }),
})
const UndoInput = builder.inputType('UndoMergeOfRecordsInput', {
  description: 'A merge to undo.',
  fields: t => ({ mergeId: t.id({ required: true, description: "The merge's id." }) }),
})
const DismissInput = builder.inputType('DismissDuplicateOfRecordInput', {
  description: 'Two records that are not the same.',
  fields: t => ({
    contactId: t.id({ description: 'One contact. Either this, or `companyId`.' }),
    companyId: t.id({ description: 'One company.' }),
    otherId: t.id({ required: true, description: 'The other contact or company.' }),
  }),
})

builder.mutationFields(t => ({
  mergeRecords: t.field({
    type: MergeUnion,
    description:
      'Merges a contact into another, or a company into another, with everything that hangs on it. Lookups of the loser are then NOT_FOUND with `mergedInto`. It can be undone for 30 days.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'undoMergeOfRecords for 30 days' },
    extensions: isInternal,
    args: { input: t.arg({ type: MergeInput, required: true, description: 'Two records to merge.' }) },
    // `as`: GraphQL has coerced the choices by the type of the input.
    resolve: (_root, { input: { fields, ...input } }, context) => mergeRecords(context, { ...input, fields: fields as RecordChoices }),
  }),
  undoMergeOfRecords: t.field({
    type: MergeUnion,
    description:
      'Brings the loser of a merge back with everything that hung on it, and its values. Later events stay with the winner, and so do values that were changed since.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'mergeRecords' },
    extensions: isInternal,
    args: { input: t.arg({ type: UndoInput, required: true, description: 'A merge to undo.' }) },
    resolve: (_root, { input }, context) => undoMergeOfRecords(context, input.mergeId),
  }),
  dismissDuplicateOfRecord: t.field({
    type: RecordUnion,
    description: 'Remembers that two contacts or two companies are not the same, so that they are not found as duplicates again.',
    authScopes: { scope: 'contacts:write' },
    effect: { isIdempotent: true },
    extensions: isInternal,
    args: { input: t.arg({ type: DismissInput, required: true, description: 'The two records.' }) },
    async resolve(_root, { input: { contactId, companyId, otherId } }, context) {
      if ((contactId == null) === (companyId == null)) throw invalid(valueError('contactId', 'send either contactId or companyId'))
      const named = contactId == null ? ({ noun: 'company', id: companyId ?? '' } as const) : ({ noun: 'contact', id: contactId } as const)
      const record = await duplicatesOfNoun(named.noun).dismiss(context, named.id, otherId)
      return { ...record, noun: named.noun }
    },
  }),
}))
