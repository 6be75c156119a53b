// GraphQL: merging two contacts, previewing a merge and undoing it.

import { builder } from '../../graphql/schema/builder.ts'
import { ContactType } from '../contact/contact.graphql.ts'
import { chosenFields, type MergedField, mergeReasons } from './fields.ts'
import { type ContactMerge, type MergePreview, mergeContacts, previewMerge, undoMerge } from './merge.ts'
import { allFollowers } from './move.sql.ts'

const MergeSideEnum = builder.enumType('MergeSide', {
  description: 'One of the two contacts of a merge.',
  values: {
    WINNER: { value: 'winner', description: 'The contact that stays.' },
    LOSER: { value: 'loser', description: 'The contact that is merged into it.' },
  } as const,
})

const MergeReasonEnum = builder.enumType('MergeReason', {
  description: 'Why a field has its value after a merge.',
  values: Object.fromEntries(
    Object.entries(mergeReasons).map(([reason, description]) => [
      reason.toUpperCase(),
      { value: reason as keyof typeof mergeReasons, description },
    ]),
  ),
})

const MergeCustomFieldInput = builder.inputType('MergeCustomFieldInput', {
  description: 'The contact whose value a custom field keeps.',
  fields: t => ({
    key: t.string({ required: true, description: 'The key of the field.' }),
    keep: t.field({ type: MergeSideEnum, required: true, description: 'The contact whose value is kept.' }),
  }),
})

const MergeFieldsInput = builder.inputType('MergeFieldsInput', {
  description:
    "The contact whose values are kept, also empty ones. Default: the winner's values, and where it has none the loser's. Tags are united, the later `lastContactedAt` is kept, and if one of the two must not be called, the result must not be called.",
  fields: t => ({
    ...(Object.fromEntries(
      chosenFields.map(field => [field, t.field({ type: MergeSideEnum, description: `The contact whose \`${field}\` is kept.` })]),
    ) as Record<(typeof chosenFields)[number], ReturnType<typeof t.field<typeof MergeSideEnum, false>>>),
    custom: t.field({ type: [MergeCustomFieldInput], description: 'Of custom fields.' }),
  }),
})

const MergedFieldType = builder.objectRef<MergedField>('MergedField').implement({
  description: 'A field of the two contacts of a merge.',
  fields: t => ({
    field: t.exposeString('field', { description: 'Its name; of a property of `custom`, `custom.<key>`.' }),
    winnerValue: t.expose('winnerValue', { type: 'JSON', nullable: true, description: 'The value of the winner.' }),
    loserValue: t.expose('loserValue', { type: 'JSON', nullable: true, description: 'The value of the loser.' }),
    value: t.expose('value', { type: 'JSON', nullable: true, description: 'The value after the merge.' }),
    keeps: t.expose('keeps', {
      type: MergeSideEnum,
      nullable: true,
      description: 'The contact that has this value; null where both have it, or where it is made of both.',
    }),
    reason: t.expose('reason', { type: MergeReasonEnum, description: 'Why.' }),
  }),
})

const MergePreviewType = builder.objectRef<MergePreview>('MergePreview').implement({
  description: 'Result of a merge that is not done.',
  fields: t => ({
    winner: t.expose('winner', { type: ContactType, description: 'The contact that would stay, as it is now.' }),
    loser: t.expose('loser', { type: ContactType, description: 'The contact that would be merged into it, as it is now.' }),
    fields: t.expose('fields', { type: [MergedFieldType], description: 'The fields in which one of the two has a value.' }),
  }),
})

const MergeMovedType = builder.objectRef<ContactMerge['moved']>('MergeMoved').implement({
  description: 'How much moved from one contact to the other.',
  fields: t =>
    Object.fromEntries(
      allFollowers().map(({ name, description }) => [
        name,
        t.int({ description: `${description}.`, resolve: moved => moved[name]?.length ?? 0 }),
      ]),
    ),
})

const ContactMergeType = builder.objectRef<ContactMerge>('ContactMerge').implement({
  description: 'Two contacts that were merged into one.',
  fields: t => ({
    mergeId: t.exposeID('id', { description: 'Its id, for `undoMerge`. The event `contact.merged` in the timeline has it too.' }),
    winner: t.expose('winner', { type: ContactType, description: 'The contact that stays.' }),
    loser: t.expose('loser', { type: ContactType, description: 'The other one: deleted by the merge, live after it was undone.' }),
    moved: t.expose('moved', { type: MergeMovedType, description: 'The moved rows, now.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When they were merged.' }),
    undoableUntil: t.expose('undoableUntil', { type: 'DateTime', description: 'Until when it can be undone.' }),
    undoneAt: t.expose('undoneAt', { type: 'DateTime', nullable: true, description: 'When it was undone.' }),
  }),
})

const pair = {
  winnerId: 'The contact that stays.',
  loserId: 'The contact that is merged into it.',
}

builder.queryField('mergePreview', t =>
  t.field({
    type: MergePreviewType,
    nullable: true,
    description: 'The fields that merging two contacts would result in. Null with NOT_FOUND for one that is deleted or does not exist.',
    authScopes: { scope: 'contacts:read' },
    args: {
      winnerId: t.arg.id({ required: true, description: pair.winnerId }),
      loserId: t.arg.id({ required: true, description: pair.loserId }),
      fields: t.arg({ type: MergeFieldsInput, description: 'The contact whose values are kept.' }),
    },
    resolve: (_root, args, context) => previewMerge(context, args),
  }),
)

const MergeContactsInput = builder.inputType('MergeContactsInput', {
  description: 'Two contacts to merge.',
  fields: t => ({
    winnerId: t.id({ required: true, description: pair.winnerId }),
    loserId: t.id({ required: true, description: pair.loserId }),
    fields: t.field({ type: MergeFieldsInput, description: 'The contact whose values are kept.' }),
  }),
})

const UndoMergeInput = builder.inputType('UndoMergeInput', {
  description: 'A merge to undo.',
  fields: t => ({ mergeId: t.id({ required: true, description: "The merge's id." }) }),
})

builder.mutationFields(t => ({
  mergeContacts: t.field({
    type: ContactMergeType,
    description:
      'Merges a contact into another, with its calls, timeline, suggestions, jobs, notes, tasks and deals. Lookups of the loser are then NOT_FOUND with `mergedInto`. It can be undone for 30 days.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'undoMerge for 30 days' },
    args: { input: t.arg({ type: MergeContactsInput, required: true, description: 'Two contacts to merge.' }) },
    resolve: (_root, { input }, context) => mergeContacts(context, input),
  }),
  undoMerge: t.field({
    type: ContactMergeType,
    description:
      'Brings the loser of a merge back with its own notes, calls and values. Later events stay with the winner, values that were changed since as well, and a winner that must not be called since the merge still must not be.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'mergeContacts' },
    args: { input: t.arg({ type: UndoMergeInput, required: true, description: 'A merge to undo.' }) },
    resolve: (_root, { input }, context) => undoMerge(context, input.mergeId),
  }),
}))
