// GraphQL: the operator's changes of accounts.

import { builder, checkWith } from '../../graphql/schema/builder.ts'
import { GrantCategoryEnum, GrantType } from '../accounts/balance.graphql.ts'
import { amountProblems, type GivenAmount } from '../ledger/amount.ts'
import { TransferType } from '../ledger/transaction.graphql.ts'
import { adjustCredits, type Granted, grantCredits, voidCreditGrant } from './operator.ts'

const GrantedType = builder.objectRef<Granted>('GrantCreditsPayload').implement({
  description: 'A grant that was made.',
  fields: t => ({
    grant: t.expose('grant', { type: GrantType, description: 'The grant.' }),
    transfer: t.expose('transfer', {
      type: TransferType,
      nullable: true,
      description: 'The entry of the ledger; null for a grant that begins later.',
    }),
  }),
})

const GrantCreditsInput = builder.inputType('GrantCreditsInput', {
  description: 'Credits to give.',
  fields: t => ({
    userId: t.id({ required: true, description: 'To whom.' }),
    amount: t.float({ required: true, description: 'How many: above 0, with at most 6 decimals.' }),
    category: t.field({ type: GrantCategoryEnum, description: 'How they come in. Default: PAID.' }),
    priority: t.int({ description: '0, debited first, to 100. Default: 50.' }),
    effectiveAt: t.field({ type: 'DateTime', description: 'When they can be spent from. Default: now.' }),
    expiresAt: t.field({ type: 'DateTime', description: 'When the rest of them expires. Default: never.' }),
    reference: t.string({ description: 'Reason, at most 255 characters.' }),
  }),
})

const AdjustCreditsInput = builder.inputType('AdjustCreditsInput', {
  description: 'A correction.',
  fields: t => ({
    userId: t.id({ required: true, description: 'The user whose balance it is.' }),
    amount: t.float({ required: true, description: 'Credits to add, or below 0 to take, with at most 6 decimals.' }),
    reference: t.string({ required: true, description: 'Why, at most 255 characters.' }),
  }),
})

const VoidCreditGrantInput = builder.inputType('VoidCreditGrantInput', {
  description: 'A grant to take back.',
  fields: t => ({
    id: t.id({ required: true, description: 'The grant.' }),
    reference: t.string({ description: 'Why, at most 255 characters.' }),
  }),
})

builder.mutationFields(t => ({
  grantCredits: t.field({
    type: GrantedType,
    description: 'Gives credits to a user.',
    authScopes: { service: true },
    effect: { undoneBy: 'voidCreditGrant, for what is not spent' },
    extensions: checkWith(({ input }: GivenAmount) => amountProblems(input.amount)),
    args: { input: t.arg({ type: GrantCreditsInput, required: true, description: 'How many, to whom.' }) },
    resolve: (_parent, { input }, context) => grantCredits(context, input),
  }),
  adjustCredits: t.field({
    type: TransferType,
    description: 'Corrects a balance by an entry of its own.',
    authScopes: { service: true },
    effect: { undoneBy: 'adjustCredits by the opposite amount' },
    extensions: checkWith(({ input }: GivenAmount) => amountProblems(input.amount, { allowNegative: true })),
    args: { input: t.arg({ type: AdjustCreditsInput, required: true, description: 'By how many, and why.' }) },
    resolve: (_parent, { input }, context) => adjustCredits(context, input),
  }),
  voidCreditGrant: t.field({
    type: GrantType,
    description: 'Takes back the rest of a grant. Spent credits stay spent; reserved credits end when they are given back.',
    authScopes: { service: true },
    effect: { overwrites: true, undoneBy: 'grantCredits of the same amount' },
    args: { input: t.arg({ type: VoidCreditGrantInput, required: true, description: 'Which, and why.' }) },
    resolve: (_parent, { input }, context) => voidCreditGrant(context, input),
  }),
}))
