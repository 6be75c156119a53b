// REST endpoints of credits: balance and transactions for the app, grants and deductions for backends.

import { z } from 'zod'
import {
  AdjustCreditsDocument,
  type CreditGrantCategory,
  type CreditTransactionType,
  DeductCreditsDocument,
  GetCreditBalanceDocument,
  GrantCreditsDocument,
  ListCreditTransactionsDocument,
  VoidCreditGrantDocument,
} from '../../../generated/operations.ts'
import { apps, type Route, route, services } from '../../router/route.ts'
import { anyOf, enumOf, pageOf, time, total } from '../inputs.ts'
import { creditExamples as examples } from './examples.ts'

const userId = z.string().min(1).max(255).meta({ description: "The identity provider's id of the user." })
const amount = z.number().meta({ description: 'Credits: above 0, with at most 6 decimals.', exclusiveMinimum: 0 })
const reference = z.string().max(255).nullish().meta({ description: 'Its reason.' })
const category = enumOf<CreditGrantCategory>('CreditGrantCategory')
const type = enumOf<CreditTransactionType>('CreditTransactionType')

const shared = { role: 'session', tag: 'Credits' } as const

export const creditRoutes: readonly Route[] = [
  route('GET', '/api/credits/balance', GetCreditBalanceDocument, {
    ...shared,
    summary: 'Get the credit balance',
    description: 'Of the signed-in user; of the user in `x-user-id` for a backend; of the demo organization for a guest.',
    callers: apps,
    examples: { answer: examples.balance },
  }),
  route('GET', '/api/credits/transactions', ListCreditTransactionsDocument, {
    ...shared,
    summary: 'List credit transactions',
    description: 'The entries of the ledger, newest first. They are never changed; another entry corrects a wrong one.',
    callers: apps,
    query: z.strictObject({
      ...pageOf,
      type: anyOf(type),
      include: total,
    }),
    examples: { answer: examples.transactions },
  }),
  route('POST', '/api/credits/deduct', DeductCreditsDocument, {
    ...shared,
    summary: 'Take credits from a user',
    description: 'All or nothing. Send an `Idempotency-Key`, so that a retry takes nothing twice.',
    callers: services,
    body: z.strictObject({ user_id: userId, amount, reference }),
    errors: {
      NOT_FOUND: 'there is no such user',
      INSUFFICIENT_CREDITS: 'too little is available; `required`, `available` and `shortfall` say how much',
    },
    examples: { body: examples.deduct, answer: examples.transfer },
  }),
  route('POST', '/api/credits/grant', GrantCreditsDocument, {
    ...shared,
    summary: 'Give credits to a user',
    description:
      'Grants are debited by priority, then those that end soonest, then promotional ones, then the oldest. `transaction` is null for a grant that begins later.',
    callers: services,
    body: z.strictObject({
      user_id: userId,
      amount,
      category: category.optional().meta({ unlessGiven: 'paid' }),
      priority: z.int().min(0).max(100).optional().meta({ unlessGiven: 50 }),
      effective_at: time.nullish(),
      expires_at: time.nullish(),
      reference,
    }),
    status: 201,
    errors: { NOT_FOUND: 'there is no such user' },
    examples: { body: examples.grant, answer: examples.granted },
  }),
  route('POST', '/api/credits/grants/{grant_id}/void', VoidCreditGrantDocument, {
    ...shared,
    summary: 'Void a grant',
    description: 'Takes back the rest of it. Spent credits stay spent; reserved credits end when they are given back.',
    callers: services,
    body: z.strictObject({ reference }),
    errors: { NOT_FOUND: 'there is no such grant', CONFLICT: 'nothing is left of it' },
    examples: { body: { reference: 'chargeback' }, answer: examples.voided },
  }),
  route('POST', '/api/credits/adjust', AdjustCreditsDocument, {
    ...shared,
    summary: 'Correct a balance',
    description: 'Adds credits, or takes them below 0, by an entry of its own: entries of the ledger are never changed.',
    callers: services,
    body: z.strictObject({
      user_id: userId,
      amount: z.number().meta({ description: 'Credits: not 0, with at most 6 decimals.' }),
      reference: z.string().min(1).max(255).meta({ description: 'Why.' }),
    }),
    errors: { NOT_FOUND: 'there is no such user', INSUFFICIENT_CREDITS: 'too little is available to take' },
    examples: { body: examples.adjust, answer: examples.adjusted },
  }),
]
