// GraphQL: merging two records, previewing a merge and undoing it. Each noun has types, queries and mutations of its own.

import type { ObjectRef } from '@pothos/core'
import { builder } from '../../graphql/schema/builder.ts'
import { capitalized } from '../../kernel/input/case.ts'
import { CompanyType } from '../companies/company.graphql.ts'
import type { Company } from '../companies/row.ts'
import { ContactType } from '../contact/contact.graphql.ts'
import type { Contact } from '../contact/row.ts'
import { companyMerging } from './companies.ts'
import { type CompanyMergeChoices, chosenCompanyFields } from './company-fields.ts'
import { chosenFields, type MergeChoices } from './contact-fields.ts'
import { contactMerging } from './contacts.ts'
import { type MergedField, type MergeReason, mergeReasons } from './decide.ts'
import type { Merge, MergePreview, Merging } from './merge.ts'
import { allFollowers, type MergedNoun } from './move.sql.ts'

export const MergeSideEnum = builder.enumType('MergeSide', {
  description: 'One of the two records of a merge.',
  values: {
    WINNER: { value: 'winner', description: 'The record that stays.' },
    LOSER: { value: 'loser', description: 'The record that is merged into it.' },
  } as const,
})

const MergeReasonEnum = builder.enumType('MergeReason', {
  description: 'Why a field has its value after a merge.',
  values: Object.fromEntries(
    Object.entries(mergeReasons).map(([reason, description]) => [reason.toUpperCase(), { value: reason as MergeReason, description }]),
  ),
})

export const MergeCustomFieldInput = builder.inputType('MergeCustomFieldInput', {
  description: 'The record whose value a custom field keeps.',
  fields: t => ({
    key: t.string({ required: true, description: 'The key of the field.' }),
    keep: t.field({ type: MergeSideEnum, required: true, description: 'The record whose value is kept.' }),
  }),
})

export const MergedFieldType = builder.objectRef<MergedField>('MergedField').implement({
  description: 'A field of the two records of a merge.',
  fields: t => ({
    field: t.exposeString('field', { description: 'Its name; of a property of `custom`, `custom.<key>`.' }),
    winnerValue: t.expose('winnerValue', { type: 'JSON', nullable: true, description: 'The value of the winner.' }),
    loserValue: t.expose('loserValue', { type: 'JSON', nullable: true, description: 'The value of the loser.' }),
    value: t.expose('value', { type: 'JSON', nullable: true, description: 'The value after the merge.' }),
    keeps: t.expose('keeps', {
      type: MergeSideEnum,
      nullable: true,
      description: 'The record that has this value; null where both have it, or where it is made of both.',
    }),
    reason: t.expose('reason', { type: MergeReasonEnum, description: 'Why.' }),
  }),
})

interface NounToMerge<Row extends object, Choices> {
  type: ObjectRef<typeof builder.$inferSchemaTypes, Row>
  merging: Merging<Row, Choices>
  chosenFields: readonly string[]
  /** Of types and fields. */
  names: { preview: string; input: string; moved: string; merge: string; mergeMany: string; undo: string; previewQuery: string }
  plural: string
  /** How values are combined. */
  combined: string
  /** The rows that follow, in words. */
  follow: string
  /** The rows and values that come back, in words. */
  back: string
}

/** Puts the merges of a noun on the schema. Returns the type of merges. */
function mergesOf<Row extends object, Choices>(noun: MergedNoun, given: NounToMerge<Row, Choices>) {
  const { type, merging, names } = given
  // `as`: TypeScript cannot infer resolvers for a generic row, which is an object of this type.
  const Type = type as unknown as ObjectRef<typeof builder.$inferSchemaTypes, object>
  const kept = `The ${noun} whose values are kept.`
  const pair = { winnerId: `The ${noun} that stays.`, loserId: `The ${noun} that is merged into it.` }

  const FieldsInput = builder.inputType(names.input, {
    description: `The ${noun} whose values are kept, also empty ones. Default: the winner's values, and where it has none the loser's. ${given.combined}`,
    fields: t => ({
      ...Object.fromEntries(
        given.chosenFields.map(field => [field, t.field({ type: MergeSideEnum, description: `The ${noun} whose \`${field}\` is kept.` })]),
      ),
      custom: t.field({ type: [MergeCustomFieldInput], description: 'Of custom fields.' }),
    }),
  })

  const PreviewType = builder.objectRef<MergePreview<Row>>(names.preview).implement({
    description: 'Result of a merge that is not done.',
    fields: t => ({
      winner: t.field({ type: Type, description: `The ${noun} that would stay, as it is now.`, resolve: ({ winner }) => winner }),
      loser: t.field({ type: Type, description: `The ${noun} that would be merged into it, as it is now.`, resolve: ({ loser }) => loser }),
      fields: t.field({
        type: [MergedFieldType],
        description: 'The fields in which one of the two has a value.',
        resolve: ({ fields }) => fields,
      }),
    }),
  })

  const MovedType = builder.objectRef<Merge<Row>['moved']>(names.moved).implement({
    description: `How much moved from one ${noun} to the other.`,
    fields: t =>
      Object.fromEntries(
        allFollowers(noun).map(({ name, description }) => [
          name,
          t.int({ description: `${description}.`, resolve: moved => moved[name]?.length ?? 0 }),
        ]),
      ),
  })

  const MergeType = builder.objectRef<Merge<Row>>(names.merge).implement({
    description: `Two ${given.plural} that were merged into one.`,
    fields: t => ({
      mergeId: t.id({
        description: `Its id, for \`${names.undo}\`. The event \`${noun}.merged\` in the timeline has it too.`,
        resolve: ({ id }) => id,
      }),
      winner: t.field({ type: Type, description: `The ${noun} that stays.`, resolve: ({ winner }) => winner }),
      loser: t.field({
        type: Type,
        description: 'The other one: deleted by the merge, live after it was undone.',
        resolve: ({ loser }) => loser,
      }),
      moved: t.field({ type: MovedType, description: 'The moved rows, now.', resolve: ({ moved }) => moved }),
      createdAt: t.field({ type: 'DateTime', description: 'When they were merged.', resolve: ({ createdAt }) => createdAt }),
      undoableUntil: t.field({ type: 'DateTime', description: 'Until when it can be undone.', resolve: one => one.undoableUntil }),
      undoneAt: t.field({ type: 'DateTime', nullable: true, description: 'When it was undone.', resolve: ({ undoneAt }) => undoneAt }),
    }),
  })

  builder.queryField(names.previewQuery, t =>
    t.field({
      type: PreviewType,
      nullable: true,
      description: `The fields that merging two ${given.plural} would result in. Null with NOT_FOUND for one that is deleted or does not exist.`,
      authScopes: { scope: 'contacts:read' },
      args: {
        winnerId: t.arg.id({ required: true, description: pair.winnerId }),
        loserId: t.arg.id({ required: true, description: pair.loserId }),
        fields: t.arg({ type: FieldsInput, description: kept }),
      },
      // `as`: GraphQL has coerced the choices by the type of the input.
      resolve: (_root, { winnerId, loserId, fields }, context) =>
        merging.preview(context, { winnerId, loserId, fields: fields as Choices }),
    }),
  )

  const MergeInput = builder.inputType(`${capitalized(names.mergeMany)}Input`, {
    description: `Two ${given.plural} to merge.`,
    fields: t => ({
      winnerId: t.id({ required: true, description: pair.winnerId }),
      loserId: t.id({ required: true, description: pair.loserId }),
      fields: t.field({ type: FieldsInput, description: kept }),
    }),
  })
  const UndoInput = builder.inputType(`${capitalized(names.undo)}Input`, {
    description: 'A merge to undo.',
    fields: t => ({ mergeId: t.id({ required: true, description: "The merge's id." }) }),
  })

  builder.mutationFields(t => ({
    [names.mergeMany]: t.field({
      type: MergeType,
      description: `Merges a ${noun} into another, with its ${given.follow}. Lookups of the loser are then NOT_FOUND with \`mergedInto\`. It can be undone for 30 days.`,
      authScopes: { scope: 'contacts:write' },
      effect: { overwrites: true, undoneBy: `${names.undo} for 30 days` },
      args: { input: t.arg({ type: MergeInput, required: true, description: `Two ${given.plural} to merge.` }) },
      resolve: (_root, { input: { winnerId, loserId, fields } }, context) =>
        merging.merge(context, { winnerId, loserId, fields: fields as Choices }),
    }),
    [names.undo]: t.field({
      type: MergeType,
      description: `Brings the loser of a merge back with ${given.back}.`,
      authScopes: { scope: 'contacts:write' },
      effect: { overwrites: true, undoneBy: names.mergeMany },
      args: { input: t.arg({ type: UndoInput, required: true, description: 'A merge to undo.' }) },
      resolve: (_root, { input }, context) => merging.undo(context, input.mergeId),
    }),
  }))
  return MergeType
}

const ContactMerge = mergesOf<Contact, MergeChoices>('contact', {
  type: ContactType as unknown as ObjectRef<typeof builder.$inferSchemaTypes, Contact>,
  merging: contactMerging,
  chosenFields,
  names: {
    ...{ preview: 'MergePreview', input: 'MergeFieldsInput', moved: 'MergeMoved', merge: 'ContactMerge' },
    ...{ mergeMany: 'mergeContacts', undo: 'undoMerge', previewQuery: 'mergePreview' },
  },
  plural: 'contacts',
  combined:
    'Tags are united, the later `lastContactedAt` is kept, and if one of the two must not be called, the result must not be called.',
  follow: 'calls, timeline, suggestions, jobs, notes, tasks and deals',
  back: 'its own notes, calls and values. Later events stay with the winner, values that were changed since as well, and a winner that must not be called since the merge still must not be',
})

const CompanyMerge = mergesOf<Company, CompanyMergeChoices>('company', {
  type: CompanyType as unknown as ObjectRef<typeof builder.$inferSchemaTypes, Company>,
  merging: companyMerging,
  chosenFields: chosenCompanyFields,
  names: {
    ...{ preview: 'CompanyMergePreview', input: 'CompanyMergeFieldsInput', moved: 'CompanyMergeMoved', merge: 'CompanyMerge' },
    ...{ mergeMany: 'mergeCompanies', undo: 'undoCompanyMerge', previewQuery: 'companyMergePreview' },
  },
  plural: 'companies',
  combined: 'Tags and domains are united, and the currency of the annual revenue goes with its amount.',
  follow: 'people, deals, timeline, suggestions, jobs, notes, tasks and domains',
  back: 'its own people, deals, notes, domains and values. Later events stay with the winner, and values that were changed since as well',
})

/** The types of merges, by noun. */
export const mergeTypes = { contact: ContactMerge, company: CompanyMerge } satisfies Record<MergedNoun, unknown>
