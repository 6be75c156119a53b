// Organizations in the schema.

import { builder } from '../../graphql/schema/builder.ts'
import { claimAddress, claimOrganization, inviteToOrganization } from './invitation.ts'
import { createOrganization, type Organization } from './organization.ts'

const OrganizationRole = builder.enumType('OrganizationRole', {
  description: 'What somebody is in an organization.',
  values: {
    OWNER: { value: 'owner', description: 'Made it, or was given it.' },
    MEMBER: { value: 'member', description: 'Works in it.' },
    GUEST: { value: 'guest', description: 'Looks around in the demo organization.' },
  } as const,
})

export const OrganizationType = builder.objectRef<Organization>('Organization').implement({
  description: 'A tenant: contacts, keys and everything else belong to exactly one.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id, for the X-Org-Id header.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    role: t.expose('role', { type: OrganizationRole, description: 'What the caller is in it.' }),
  }),
})

builder.mutationField('claimOrganization', t =>
  t.field({
    type: OrganizationType,
    description:
      'Uses the token of a one-use address, the last part of `/claim/<token>`: the signed-in user becomes an owner, or a member, of the organization it is for.',
    authScopes: { signedIn: true },
    args: { token: t.arg.string({ required: true, description: 'The token. It works once.' }) },
    resolve: (_parent, { token }, context) => claimOrganization(context, token),
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
    OWNER: { value: 'owner', description: 'Like who invites.' },
    MEMBER: { value: 'member', description: 'Works in the organization, and invites nobody.' },
  } as const,
})

builder.mutationField('inviteToOrganization', t =>
  t.field({
    type: InvitationType,
    description:
      'Makes a one-use address by which a person joins the organization, for its owners. With `SIGN_UP=closed` it serves who has an account already; with `invited` somebody new too.',
    authScopes: { signedIn: true },
    args: { role: t.arg({ type: InvitedRole, required: true, defaultValue: 'member', description: 'What the person becomes.' }) },
    resolve: (_parent, { role }, context) => inviteToOrganization(context, role),
  }),
)

builder.mutationField('createOrganization', t =>
  t.field({
    type: OrganizationType,
    description: 'Makes an organization that the signed-in user owns.',
    authScopes: { signedIn: true },
    args: { name: t.arg.string({ required: true, description: 'Its name, 1 to 200 characters.' }) },
    resolve: (_parent, { name }, context) => createOrganization(context, name),
  }),
)
