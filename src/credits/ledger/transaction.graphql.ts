// GraphQL: the entries of the ledger, and the mutation that debits credits.

import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder, checkWith } from '../../graphql/schema/builder.ts'
import { DoorEnum } from '../../graphql/schema/event.graphql.ts'
import { ageSortArgs, connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { creditsOf } from '../../kernel/money.ts'
import { GrantCategoryEnum } from '../accounts/balance.graphql.ts'
import { amountProblems, type GivenAmount } from './amount.ts'
import { deductCredits, listTransactions, type Part, partsOf, type Transaction, type Transfer } from './transaction.ts'

export const TransactionTypeEnum = builder.enumType('CreditTransactionType', {
  description: 'Kind of an entry of the ledger.',
  values: {
    GRANT: { value: 'grant', description: 'Credits came in.' },
    DEBIT: { value: 'debit', description: 'Credits were taken outright.' },
    HOLD: { value: 'hold', description: 'Credits were reserved for work.' },
    SETTLE: { value: 'settle', description: 'The cost of the work was taken.' },
    RELEASE: { value: 'release', description: 'Reserved credits became free again.' },
    EXPIRE: { value: 'expire', description: 'A grant ended, or a reservation lapsed.' },
    VOID: { value: 'void', description: 'The rest of a grant was taken back.' },
    ADJUST: {
      value: 'adjust',
      description: 'The balance was corrected: by an operator, or because more became known of work that had ended.',
    },
  } as const,
})

const PartType = builder.objectRef<Part>('CreditPart').implement({
  description: 'A part of an amount, by the grant it came from or went to.',
  fields: t => ({
    grantId: t.exposeID('grantId', { description: 'The grant.' }),
    category: t.expose('category', { type: GrantCategoryEnum, description: 'How the grant came in.' }),
    amount: t.exposeFloat('amount', { description: 'Credits, always above 0.' }),
  }),
})

const TransactionType = builder.objectRef<Transaction>('CreditTransaction').implement({
  description: 'An entry of the ledger. It is never changed; another entry corrects a wrong one.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    userId: t.exposeID('userId', { description: 'Owner of the account.' }),
    type: t.expose('type', { type: TransactionTypeEnum, description: 'Its kind.' }),
    amount: t.float({ description: 'Credits it added to the balance, or took from it.', resolve: entry => creditsOf(entry.amountMicro) }),
    reserved: t.float({
      description: 'Credits it added to the reserved credits, or took from them.',
      resolve: entry => creditsOf(entry.reservedMicro),
    }),
    balanceAfter: t.float({ description: 'The balance after it.', resolve: entry => creditsOf(entry.balanceAfterMicro) }),
    availableAfter: t.float({
      description: 'Available credits after it.',
      resolve: entry => creditsOf(entry.balanceAfterMicro - entry.reservedAfterMicro),
    }),
    breakdown: t.field({
      type: [PartType],
      description: 'The grants it touched, in the order in which they were debited.',
      resolve: entry => partsOf(entry.breakdown),
    }),
    holdId: t.exposeID('holdId', { nullable: true, description: 'The reservation it is about.' }),
    reference: t.exposeString('reference', { nullable: true, description: 'Its reason.' }),
    actor: t.field({
      type: ActorType,
      description: 'The actor.',
      resolve: ({ actorType, actorId, actorName }) => ({ type: actorType, id: actorId, name: actorName }),
    }),
    door: t.expose('door', { type: DoorEnum, description: 'The way it came in.' }),
    operation: t.exposeString('operation', { description: 'The name of the operation.' }),
    requestId: t.exposeID('requestId', { description: 'The request it came with.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was written.' }),
  }),
})

const TransactionConnection = connectionOf('CreditTransaction', 'entries of the ledger', TransactionType)

export const TransferType = builder.objectRef<Transfer>('CreditTransfer').implement({
  description: 'Credits that moved, and how the account stood around it.',
  fields: t => ({
    transactionId: t.exposeID('transactionId', { description: 'The entry of the ledger.' }),
    userId: t.exposeID('userId', { description: 'Owner of the account.' }),
    amount: t.exposeFloat('amount', { description: 'Credits, as they were asked for.' }),
    balanceBefore: t.exposeFloat('balanceBefore', { description: 'The balance before.' }),
    balanceAfter: t.exposeFloat('balanceAfter', { description: 'The balance after.' }),
    available: t.exposeFloat('available', { description: 'Available credits now.' }),
    breakdown: t.expose('breakdown', { type: [PartType], description: 'The grants it touched, in the order in which they were debited.' }),
    reference: t.exposeString('reference', { nullable: true, description: 'Its reason.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
  }),
})

const DeductCreditsInput = builder.inputType('DeductCreditsInput', {
  description: 'Credits to take.',
  fields: t => ({
    userId: t.id({ required: true, description: 'From whom.' }),
    amount: t.float({ required: true, description: 'How many: above 0, with at most 6 decimals.' }),
    reference: t.string({ description: 'Reason, at most 255 characters.' }),
  }),
})

builder.queryField('creditTransactions', t =>
  t.field({
    type: TransactionConnection,
    description: 'The entries of the account that `creditBalance` shows, newest first.',
    authScopes: { scope: 'credits:read', service: true },
    args: {
      ...pageArgs,
      ...ageSortArgs,
      type: t.arg({ type: TransactionTypeEnum, description: 'Only entries of this type.' }),
      typeIn: t.arg({ type: [TransactionTypeEnum], description: 'Only entries of any of these types, at most 20.' }),
    },
    resolve: (_parent, args, context, info) => listTransactions(context, { ...args, counted: isCounted(info) }),
  }),
)

builder.mutationField('deductCredits', t =>
  t.field({
    type: TransferType,
    description: 'Takes credits from a user, all or nothing. INSUFFICIENT_CREDITS says how many credits are missing.',
    authScopes: { service: true },
    effect: { overwrites: true, undoneBy: 'adjustCredits by the opposite amount' },
    // Batched, because the debits of one transaction lock their accounts in one order.
    extensions: { isBatched: true, ...checkWith(({ input }: GivenAmount) => amountProblems(input.amount)) },
    args: { input: t.arg({ type: DeductCreditsInput, required: true, description: 'How many, from whom.' }) },
    resolve: (_parent, { input }, context) => deductCredits(context, input),
  }),
)
