// GraphQL: offers of ownership, and who pays for an organization.

import { builder, inputOfId } from '../../graphql/schema/builder.ts'
import { MeType } from '../sessions/session.graphql.ts'
import { UserType } from '../users/user.graphql.ts'
import { userById } from '../users/user.ts'
import { MemberType } from './member.graphql.ts'
import { type OwnershipOffer, offersToMe, offerTo } from './offer.ts'
import { OrganizationType } from './organization.graphql.ts'
import { loadOrganizations } from './organization.ts'
import { acceptOwnership, declineOwnership, payForOrganization, withdrawOwnership } from './ownership.ts'

const OwnershipOfferType = builder.objectRef<OwnershipOffer>('OwnershipOffer').implement({
  description: 'An offer to a member to become an owner of an organization.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id, for accepting, declining or withdrawing it.' }),
    organization: t.field({
      type: OrganizationType,
      nullable: true,
      description: 'The organization.',
      resolve: async ({ organizationId }, _args, context) => (await loadOrganizations(context, [organizationId]))[0],
    }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'The member who may accept it.',
      resolve: ({ userId }, _args, context) => userById(context, userId),
    }),
    offeredBy: t.field({
      type: UserType,
      nullable: true,
      description: 'The owner who made it.',
      resolve: ({ offeredById }, _args, context) => userById(context, offeredById),
    }),
    isTransfer: t.exposeBoolean('isTransfer', { description: 'Whether the owner who made it becomes an admin when it is accepted.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when it can be accepted: 7 days after it was made.' }),
  }),
})

builder.objectField(MemberType, 'ownershipOffer', t =>
  t.field({
    type: OwnershipOfferType,
    nullable: true,
    description: 'The open offer to become an owner; null without one.',
    resolve: (member, _args, context) => offerTo(context, member),
  }),
)

builder.objectField(MeType, 'ownershipOffers', t =>
  t.field({
    type: [OwnershipOfferType],
    description: 'The open offers to the signed-in user to become an owner, of every organization, newest first; none for other callers.',
    resolve: (_me, _args, context) => offersToMe(context),
  }),
)

const AcceptOwnershipInput = builder.inputType('AcceptOwnershipInput', {
  description: 'An offer to accept.',
  fields: t => ({
    id: t.id({ required: true, description: 'The id of the offer.' }),
    pays: t.boolean({
      defaultValue: false,
      description:
        "Whether the user's credits pay for what the organization's API keys, hooks and agents do from now on. API keys that others made before, and webhooks made with them, are refused until the user confirms each key with `confirmApiKey`; keys of widgets that others made are revoked.",
    }),
  }),
})

builder.mutationFields(t => ({
  acceptOwnership: t.field({
    type: OrganizationType,
    description: 'Makes the signed-in user an owner, as offered.',
    authScopes: { signedIn: true },
    effect: { overwrites: true },
    args: { input: t.arg({ type: AcceptOwnershipInput, required: true, description: 'The offer.' }) },
    resolve: (_parent, { input: { id, pays } }, context) => acceptOwnership(context, { id, pays: pays ?? false }),
  }),
  declineOwnership: t.field({
    type: OwnershipOfferType,
    description: 'Declines an offer to the signed-in user.',
    authScopes: { signedIn: true },
    effect: { overwrites: true },
    args: inputOfId('DeclineOwnershipInput', 'An offer to decline.'),
    resolve: (_parent, { input }, context) => declineOwnership(context, input.id),
  }),
  withdrawOwnership: t.field({
    type: OwnershipOfferType,
    description: 'Takes back an open offer of the organization of the request.',
    authScopes: { role: 'owner' },
    effect: { overwrites: true, undoneBy: 'transferOwnership or changeMemberRole' },
    args: inputOfId('WithdrawOwnershipInput', 'An offer to take back.'),
    resolve: (_parent, { input }, context) => withdrawOwnership(context, input.id),
  }),
  payForOrganization: t.field({
    type: OrganizationType,
    description:
      "Lets the signed-in owner's credits pay for the work of the API keys, hooks and agents of the organization of the request from now on. API keys that others made before, and webhooks made with them, are refused until the owner confirms each key with `confirmApiKey`; keys of widgets that others made are revoked. Earlier reservations stay with the former payer.",
    authScopes: { role: 'owner' },
    effect: { overwrites: true, isIdempotent: true },
    resolve: (_parent, _args, context) => payForOrganization(context),
  }),
}))
