// Organizations in the schema.

import { builder } from '../graphql/builder.ts'
import { claimOrganization } from './invitation.ts'
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

builder.mutationField('createOrganization', t =>
  t.field({
    type: OrganizationType,
    description: 'Makes an organization that the signed-in user owns.',
    authScopes: { signedIn: true },
    args: { name: t.arg.string({ required: true, description: 'Its name, 1 to 200 characters.' }) },
    resolve: (_parent, { name }, context) => createOrganization(context, name),
  }),
)
