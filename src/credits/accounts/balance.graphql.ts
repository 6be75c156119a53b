// GraphQL: the balance of an account, its grants and its reserved amount.

import { builder } from '../../graphql/schema/builder.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { maySeeEvent } from './account.ts'
import { type Balance, balance } from './balance.ts'
import type { Grant } from './grant.sql.ts'
import { openHolds, type Reservation } from './hold.ts'

export const GrantCategoryEnum = builder.enumType('CreditGrantCategory', {
  description: 'How credits came in.',
  values: {
    PAID: { value: 'paid', description: 'Somebody paid for them.' },
    PROMOTIONAL: { value: 'promotional', description: 'A gift. Debited before paid ones of the same priority and expiry.' },
  } as const,
})

const GrantStatusEnum = builder.enumType('CreditGrantStatus', {
  description: 'Where a grant is in its life.',
  values: {
    PENDING: { value: 'pending', description: 'Begins later.' },
    ACTIVE: { value: 'active', description: 'Can be debited.' },
    USED: { value: 'used', description: 'Nothing is left but what holds may give back.' },
    EXPIRED: { value: 'expired', description: 'Has ended.' },
    VOIDED: { value: 'voided', description: 'Was taken back.' },
  } as const,
})

export const GrantType = builder.objectRef<Grant>('CreditGrant').implement({
  description: 'Credits of one grant, and how many of them remain.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    amount: t.exposeFloat('amount', { description: 'Credits it began with.' }),
    remaining: t.exposeFloat('remaining', { description: 'Credits of it that are neither spent nor reserved.' }),
    category: t.expose('category', { type: GrantCategoryEnum, description: 'How it came in.' }),
    priority: t.exposeInt('priority', { description: '0, debited first, to 100.' }),
    status: t.expose('status', { type: GrantStatusEnum, description: 'Where it is in its life.' }),
    reference: t.exposeString('reference', { nullable: true, description: 'Reason of the grant.' }),
    effectiveAt: t.expose('effectiveAt', { type: 'DateTime', description: 'When it begins.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, description: 'When it ends; null for never.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
})

const ReservationType = builder.objectRef<Reservation>('CreditReservation').implement({
  description: 'Credits reserved for work in progress. Credits that the work does not cost are given back.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id; entries of the ledger name it as `holdId`.' }),
    amount: t.exposeFloat('amount', { description: 'Credits that are kept.' }),
    reference: t.exposeString('reference', { description: 'The work, such as `call:<id>`.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it lapses unless the work has ended before.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
})

export const BalanceType = builder.objectRef<Balance>('CreditBalance').implement({
  description: 'Balance of an account. Amounts are credits, with at most 6 decimals.',
  fields: t => ({
    userId: t.exposeID('userId', { description: 'Owner of the account.' }),
    unit: t.exposeString('unit', { description: 'Always `credit`.' }),
    balance: t.exposeFloat('balance', { description: 'The sum of the ledger.' }),
    reserved: t.exposeFloat('reserved', { description: 'The part of it that is kept for work under way.' }),
    available: t.exposeFloat('available', { description: 'The part of it that can be spent.' }),
    lowBalance: t.exposeBoolean('lowBalance', { description: 'Whether less is available than the threshold.' }),
    lowBalanceThreshold: t.exposeFloat('lowBalanceThreshold', { description: 'Below this much available an account is low.' }),
    nextExpiry: t.expose('nextExpiry', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next grant ends that has something left.',
    }),
    grants: t.expose('grants', {
      type: [GrantType],
      description: 'Grants in the order in which they are debited, then those that begin later; at most 200.',
    }),
    reservations: t.field({
      type: [ReservationType],
      description: 'Reservations for work in progress, the first to lapse first; at most 200.',
      resolve: ({ seen }, _args, context) => openHolds(context, seen),
    }),
    asOf: t.expose('asOf', { type: 'DateTime', description: 'When it was read.' }),
  }),
})

builder.queryField('creditBalance', t =>
  t.field({
    type: BalanceType,
    description:
      "The account that pays for the caller: a signed-in user's own, otherwise the account of the organization's payer. An API key that somebody else than the payer made sees the credits available to the organization and reserved for it, without grants. CONFLICT while nobody pays for the organization.",
    authScopes: { scope: 'credits:read', service: true },
    resolve: (_parent, _args, context) => balance(context),
  }),
)

// Only the caller's own account, or its part for the organization: an organization also has events of the accounts of other members.
noun('credits', BalanceType, { scope: 'credits:read', isOwn: maySeeEvent, loadOwn: balance, hasTextId: true })
