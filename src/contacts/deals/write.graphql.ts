// GraphQL: the mutations of deals.

import { builder, checkWith, inputOfId } from '../../graphql/schema/builder.ts'
import { inputFields } from '../../graphql/schema/fields.graphql.ts'
import { amount as readAmount } from '../../kernel/currencies/amounts.ts'
import { OnConflictEnum, WriteOutcomeEnum } from '../contact/contact.graphql.ts'
import { tag } from '../records/fields.ts'
import { problemsOfDeal } from './check.ts'
import { DealType } from './deal.graphql.ts'
import { createDeal, deleteDeal, restoreDeal, updateDeal } from './deal.ts'
import { type DealPatch, role } from './input.ts'
import { moveDeal } from './moves/move.ts'
import { dealFields } from './row.ts'
import { upsertDeal, type WrittenDeal } from './upsert.ts'

type Fields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]

const DealContactInput = builder.inputType('DealContactInput', {
  description: 'A contact of a deal.',
  fields: t => ({
    contactId: t.id({ required: true, description: 'A contact of the organization that is not deleted.' }),
    role: t.string({ description: 'Its role in the deal, at most 100 characters.', extensions: { maxLength: role.maxLength } }),
  }),
})

const beside = (t: Fields) => ({
  amount: t.string({
    description: 'A decimal text, such as 1500.50, with at most as many decimals as the currency has.',
    extensions: { maxLength: readAmount.maxLength },
  }),
  contacts: t.field({ type: [DealContactInput], description: 'All of its contacts in their order, at most 50.' }),
})
const place = (t: Fields) => ({
  pipelineId: t.id({ description: 'Its pipeline. Default: the pipeline of the stage, or else the first one.' }),
  stageId: t.id({ description: 'Its stage. Default: the first open one of the pipeline.' }),
})

const CreateDealInput = builder.inputType('CreateDealInput', {
  description: 'A deal to add.',
  fields: t => ({ ...inputFields(t, dealFields, 'title'), ...beside(t), ...place(t) }),
})

const UpsertDealInput = builder.inputType('UpsertDealInput', {
  description: 'A deal to add or change. In one that exists an absent field stays as it is, and null clears it.',
  fields: t => ({
    onConflict: t.field({ type: OnConflictEnum, defaultValue: 'update', description: 'Action where it exists.' }),
    ...inputFields(t, dealFields),
    ...beside(t),
    ...place(t),
  }),
})

const UpdateDealInput = builder.inputType('UpdateDealInput', {
  description: 'The changes: an absent field stays as it is, null clears it.',
  fields: t => ({
    id: t.id({ required: true, description: 'Its id.' }),
    ifVersion: t.int({ description: 'Changes this version only; PRECONDITION_FAILED for another.' }),
    ...inputFields(t, dealFields),
    ...beside(t),
    addTags: t.stringList({ description: 'Tags to add.', extensions: { maxLength: tag.maxLength } }),
    removeTags: t.stringList({ description: 'Tags to remove.', extensions: { maxLength: tag.maxLength } }),
  }),
})

const MoveDealInput = builder.inputType('MoveDealInput', {
  description: 'A move of a deal. Without a neighbour it becomes the last one of the stage.',
  fields: t => ({
    id: t.id({ required: true, description: 'Its id.' }),
    ifVersion: t.int({ description: 'Moves this version only; CONFLICT with `yours` and `theirs` for another.' }),
    stageId: t.id({ description: 'The stage, of any pipeline. Default: the stage that it is in.' }),
    before: t.id({ description: 'The deal in the stage before which it stands then.' }),
    after: t.id({ description: 'The deal in the stage behind which it stands then.' }),
    lostReason: t.string({
      description: 'Needed for a lost stage. If the organization keeps reasons (`dealSettings`), one of them.',
      extensions: { maxLength: 200 },
    }),
  }),
})

const DeleteDealInput = builder.inputType('DeleteDealInput', {
  description: 'A deal to delete.',
  fields: t => ({
    id: t.id({ required: true, description: 'Its id.' }),
    ifVersion: t.int({ description: 'Deletes this version only; PRECONDITION_FAILED for another.' }),
  }),
})

const UpsertDealPayload = builder.objectRef<WrittenDeal>('UpsertDealPayload').implement({
  description: 'A deal added or changed.',
  fields: t => ({
    deal: t.expose('deal', { type: DealType, description: 'As it is now.' }),
    outcome: t.expose('outcome', { type: WriteOutcomeEnum, description: 'The outcome.' }),
  }),
})

const checksDeal = checkWith(({ input }: { input: DealPatch }, context) => problemsOfDeal(context, input))

builder.mutationFields(t => ({
  createDeal: t.field({
    type: DealType,
    description: 'Adds a deal, as the last one of its stage.',
    authScopes: { scope: 'contacts:write' },
    effect: { undoneBy: 'deleteDeal' },
    extensions: checksDeal,
    args: { input: t.arg({ type: CreateDealInput, required: true, description: 'The deal.' }) },
    resolve: (_parent, { input }, context) => createDeal(context, input),
  }),
  upsertDeal: t.field({
    type: UpsertDealPayload,
    description:
      'Adds a deal, or changes the live one with the same external id, and moves it if its stage is given. A deleted one stays deleted.',
    authScopes: { scope: 'contacts:write' },
    effect: {
      overwrites: true,
      undoneBy: 'deleteDeal where it was added, updateDeal and moveDeal with the former values where it was changed',
      isIdempotent: true,
    },
    extensions: checksDeal,
    args: {
      input: t.arg({
        type: UpsertDealInput,
        required: true,
        description: 'The deal. `externalId` is required, and `title` where there is none yet.',
      }),
    },
    resolve: (_parent, { input: { onConflict, ...deal } }, context) => upsertDeal(context, deal, onConflict ?? 'update'),
  }),
  updateDeal: t.field({
    type: DealType,
    description: 'Changes a deal. `moveDeal` changes its stage.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'updateDeal with the former values, which the timeline has', isIdempotent: true },
    extensions: checksDeal,
    args: { input: t.arg({ type: UpdateDealInput, required: true, description: 'The changes.' }) },
    resolve: (_parent, { input: { id, ifVersion, ...changes } }, context) => updateDeal(context, { id, ifVersion }, changes),
  }),
  moveDeal: t.field({
    type: DealType,
    description: 'Moves a deal to another stage, which may win or lose it, or to another place in its stage.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'moveDeal to the former stage' },
    args: { input: t.arg({ type: MoveDealInput, required: true, description: 'The move.' }) },
    resolve: (_parent, { input }, context) => moveDeal(context, input),
  }),
  deleteDeal: t.field({
    type: DealType,
    description: 'Deletes a deal. `restoreDeal` brings it back.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'restoreDeal', isIdempotent: true },
    args: { input: t.arg({ type: DeleteDealInput, required: true, description: 'A deal to delete.' }) },
    resolve: (_parent, { input }, context) => deleteDeal(context, input),
  }),
  restoreDeal: t.field({
    type: DealType,
    description: 'Brings a deleted deal back, at its place in its stage.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'deleteDeal', isIdempotent: true },
    args: inputOfId('RestoreDealInput', 'A deal to bring back.'),
    resolve: (_parent, { input }, context) => restoreDeal(context, input.id),
  }),
}))
