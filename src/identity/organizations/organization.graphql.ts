// Organizations in the schema.

import { builder } from '../../graphql/schema/builder.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/connection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { UserType } from '../users/user.graphql.ts'
import { userById } from '../users/user.ts'
import { claimAddress, claimOrganization, inviteToOrganization } from './invitation.ts'
import { type Member, membersOf } from './member.ts'
import { createOrganization, currentOrganization, type Organization } from './organization.ts'

const OrganizationRole = builder.enumType('OrganizationRole', {
  description: 'What somebody is in an organization.',
  values: {
    OWNER: { value: 'owner', description: 'Made it, or was given it.' },
    ADMIN: { value: 'admin', description: 'Works in it, and manages its members, invitations and name; not its owners.' },
    MEMBER: { value: 'member', description: 'Works in it.' },
    VIEWER: { value: 'viewer', description: 'Reads what it has.' },
    GUEST: { value: 'guest', description: 'Looks around in the demo organization.' },
  } as const,
})

const MemberType = builder.objectRef<Member>('Member').implement({
  description: 'A user in an organization.',
  fields: t => ({
    id: t.exposeID('id', { description: 'The same whenever this user is in this organization; for caches, not for `node`.' }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'Who it is; null once gone.',
      resolve: ({ userId }, _args, context) => userById(context, userId),
    }),
    role: t.expose('role', { type: OrganizationRole, description: 'What the user is in the organization.' }),
    since: t.expose('createdAt', { type: 'DateTime', description: 'When the user joined.' }),
    invitedBy: t.field({
      type: UserType,
      nullable: true,
      description:
        'By whose invitation; null for who made the organization, was given it by the operator, or was invited by someone who has left.',
      resolve: ({ invitedById }, _args, context) => (invitedById === null ? null : userById(context, invitedById)),
    }),
  }),
})
const MemberConnection = connectionOf('Member', 'the members of an organization', MemberType)

export const OrganizationType = builder.objectRef<Organization>('Organization').implement({
  description: 'A tenant: contacts, keys and everything else belong to exactly one.',
  interfaces: [Node],
  fields: t => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    role: t.expose('role', { type: OrganizationRole, description: 'What the caller is in it.' }),
    members: t.field({
      type: MemberConnection,
      nullable: true,
      description: 'Its members in the order in which they joined, for its signed-in members.',
      args: pageArgs,
      resolve: ({ id }, args, context, info) => membersOf(context, id, { ...args, counted: isCounted(info) }),
    }),
  }),
})

builder.queryField('organization', t =>
  t.field({
    type: OrganizationType,
    description: 'The organization of the request: the one that X-Org-Id names, or the only one of the credential.',
    authScopes: { someone: true },
    resolve: (_parent, _args, context) => currentOrganization(context),
  }),
)

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
    args: { input: t.arg({ type: ClaimOrganizationInput, required: true, description: 'The token.' }) },
    resolve: (_parent, { input }, context) => claimOrganization(context, input.token),
  }),
)

const InvitationType = builder.objectRef<Awaited<ReturnType<typeof inviteToOrganization>>>('Invitation').implement({
  description: 'A one-use address by which a person joins an organization.',
  fields: t => ({
    token: t.exposeString('token', { description: 'For `claimOrganization`. Shown this once.', extensions: { isSecret: true } }),
    address: t.string({
      description: 'Where the person signs up or signs in: `/claim/<token>` of this server.',
      extensions: { isSecret: true },
      resolve: ({ token }, _args, { services }) => claimAddress(services.config.PUBLIC_URL ?? '', token),
    }),
    role: t.expose('role', { type: OrganizationRole, description: 'What the person becomes.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when it works.' }),
  }),
})

const InvitedRole = builder.enumType('InvitedRole', {
  description: 'What somebody is invited to be.',
  values: {
    OWNER: { value: 'owner', description: 'Everything. Only owners invite owners.' },
    ADMIN: { value: 'admin', description: 'Manages members, too.' },
    MEMBER: { value: 'member', description: 'Works in the organization.' },
    VIEWER: { value: 'viewer', description: 'Reads what it has.' },
  } as const,
})

const InviteToOrganizationInput = builder.inputType('InviteToOrganizationInput', {
  description: 'An invitation.',
  fields: t => ({
    role: t.field({ type: InvitedRole, defaultValue: 'member', description: 'What the person becomes.' }),
  }),
})

builder.mutationField('inviteToOrganization', t =>
  t.field({
    type: InvitationType,
    description:
      'Makes a one-use address by which a person joins the organization, for its owners and admins. With `SIGN_UP=closed` it serves who has an account already; with `invited` somebody new too.',
    authScopes: { role: 'admin' },
    args: { input: t.arg({ type: InviteToOrganizationInput, required: true, description: 'Who is invited.' }) },
    resolve: (_parent, { input }, context) => inviteToOrganization(context, input.role ?? 'member'),
  }),
)

const CreateOrganizationInput = builder.inputType('CreateOrganizationInput', {
  description: 'An organization to make.',
  fields: t => ({ name: t.string({ required: true, description: 'Its name, 1 to 200 characters.' }) }),
})

builder.mutationField('createOrganization', t =>
  t.field({
    type: OrganizationType,
    description: 'Makes an organization that the signed-in user owns.',
    authScopes: { signedIn: true },
    args: { input: t.arg({ type: CreateOrganizationInput, required: true, description: 'The organization.' }) },
    resolve: (_parent, { input }, context) => createOrganization(context, input.name),
  }),
)
