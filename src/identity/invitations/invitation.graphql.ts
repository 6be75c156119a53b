// Invitations in the schema.

import { builder, inputOfId } from '../../graphql/schema/builder.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { isAtLeast } from '../../kernel/principal.ts'
import { OrganizationType } from '../organizations/organization.graphql.ts'
import { InvitedRole, OrganizationRole } from '../organizations/role.graphql.ts'
import { UserType } from '../users/user.graphql.ts'
import { userById } from '../users/user.ts'
import { claimAddress, claimOrganization, inviteToOrganization } from './invitation.ts'
import { type Invitation, inviteMember, listInvitations, loadInvitations, resendInvitation, revokeInvitation } from './mailed.ts'

const ClaimOrganizationInput = builder.inputType('ClaimOrganizationInput', {
  description: 'A one-use address that was given to the signed-in user.',
  fields: t => ({ token: t.string({ required: true, description: 'Its token. It works once.' }) }),
})

builder.mutationField('claimOrganization', t =>
  t.field({
    type: OrganizationType,
    description:
      'Uses the token of a one-use address, the last part of `/claim/<token>`: the signed-in user becomes an owner, or a member, of the organization it is for.',
    authScopes: { signedIn: true },
    effect: { cannotBeTried: 'its failed attempts are counted' },
    args: { input: t.arg({ type: ClaimOrganizationInput, required: true, description: 'The token.' }) },
    resolve: (_parent, { input }, context) => claimOrganization(context, input.token),
  }),
)

const InvitationType = builder.objectRef<Invitation>('Invitation').implement({
  description: 'A one-use address by which a person joins an organization.',
  interfaces: [Node],
  fields: t => ({
    token: t.exposeString('token', {
      nullable: true,
      description: 'For `claimOrganization`. Shown once, by `inviteToOrganization`; null for one that was sent by mail.',
      extensions: { isSecret: true },
    }),
    address: t.string({
      nullable: true,
      description: 'Where the person signs up or signs in: `/claim/<token>` of this server. Null where `token` is.',
      extensions: { isSecret: true },
      resolve: ({ token }, _args, { services }) => (token === undefined ? null : claimAddress(services.config.PUBLIC_URL ?? '', token)),
    }),
    email: t.exposeString('email', {
      nullable: true,
      description: 'Where it was sent; only the user with this verified address can use it. Null for one that anybody who has it can use.',
    }),
    role: t.expose('role', { type: OrganizationRole, description: 'Role of the person as a member.' }),
    invitedBy: t.field({
      type: UserType,
      nullable: true,
      description: 'The user who made it; null when that user is gone.',
      resolve: ({ invitedById }, _args, context) => (invitedById === null ? null : userById(context, invitedById)),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    sentAt: t.expose('sentAt', { type: 'DateTime', nullable: true, description: 'When its mail was last sent.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when it works.' }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true, description: 'When it was taken back.' }),
    usedAt: t.expose('usedAt', { type: 'DateTime', nullable: true, description: 'When it was used.' }),
  }),
})

const InviteToOrganizationInput = builder.inputType('InviteToOrganizationInput', {
  description: 'An invitation.',
  fields: t => ({
    role: t.field({ type: InvitedRole, defaultValue: 'member', description: 'Role of the person as a member.' }),
  }),
})

builder.mutationField('inviteToOrganization', t =>
  t.field({
    type: InvitationType,
    description:
      'Makes a one-use address by which a person joins the organization, for its owners and admins. With `SIGN_UP=closed` it serves who has an account already; with `invited` somebody new too.',
    authScopes: { role: 'admin' },
    effect: { undoneBy: 'revokeInvitation' },
    args: { input: t.arg({ type: InviteToOrganizationInput, required: true, description: 'The person to invite.' }) },
    resolve: (_parent, { input }, context) => inviteToOrganization(context, input.role ?? 'member'),
  }),
)

const InviteMemberInput = builder.inputType('InviteMemberInput', {
  description: 'A person to invite by mail.',
  fields: t => ({
    email: t.string({ required: true, description: 'Where the mail is sent. Only the user with this verified address can use it.' }),
    role: t.field({
      type: InvitedRole,
      defaultValue: 'member',
      description: "Role of the person as a member, at most the caller's own role.",
    }),
  }),
})

builder.queryField('invitations', t =>
  t.field({
    type: [InvitationType],
    description: "The organization's invitations that can still be used, newest first: 50 at most.",
    authScopes: { role: 'admin' },
    resolve: (_parent, _args, context) => listInvitations(context),
  }),
)

builder.mutationFields(t => ({
  inviteMember: t.field({
    type: InvitationType,
    description:
      'Sends an invitation by mail, valid for 7 days. CONFLICT for a member, and for an address with an open invitation. RATE_LIMITED within a minute, and where the organization sent, or the address received, too many within 24 hours. With `SIGN_UP=closed` it serves who has an account already.',
    authScopes: { role: 'admin' },
    effect: { undoneBy: 'revokeInvitation', reachesOutside: true },
    args: { input: t.arg({ type: InviteMemberInput, required: true, description: 'The person to invite.' }) },
    resolve: (_parent, { input }, context) => inviteMember(context, { email: input.email, role: input.role ?? 'member' }),
  }),
  resendInvitation: t.field({
    type: InvitationType,
    description:
      'Sends the mail of an invitation again, with a new link, valid for 7 days; the earlier link no longer works. RATE_LIMITED as `inviteMember` is.',
    authScopes: { role: 'admin' },
    effect: { overwrites: true, undoneBy: 'revokeInvitation', reachesOutside: true },
    args: inputOfId('ResendInvitationInput', 'An open invitation.'),
    resolve: (_parent, { input }, context) => resendInvitation(context, input.id),
  }),
  revokeInvitation: t.field({
    type: InvitationType,
    description: 'Takes an open invitation back.',
    authScopes: { role: 'admin' },
    effect: { overwrites: true },
    args: inputOfId('RevokeInvitationInput', 'An open invitation.'),
    resolve: (_parent, { input }, context) => revokeInvitation(context, input.id),
  }),
}))

noun('invitation', InvitationType, {
  mayRead: ({ principal }) => principal.kind === 'session' && principal.role !== null && isAtLeast(principal.role, 'admin'),
  load: loadInvitations,
})
