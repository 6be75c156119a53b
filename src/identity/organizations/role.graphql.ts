// Roles in the schema.

import { builder } from '../../graphql/schema/builder.ts'

export const OrganizationRole = builder.enumType('OrganizationRole', {
  description: 'Role of a member.',
  values: {
    OWNER: { value: 'owner', description: 'Made it, or was given it. May do everything.' },
    ADMIN: { value: 'admin', description: 'Works in it, and manages its members, invitations and name; not its owners.' },
    MEMBER: { value: 'member', description: 'Works in it.' },
    VIEWER: { value: 'viewer', description: 'Reads what it has.' },
    GUEST: { value: 'guest', description: 'Looks around in the demo organization.' },
  } as const,
})

export const InvitedRole = builder.enumType('InvitedRole', {
  description: 'Role that can be given to a member.',
  values: {
    OWNER: { value: 'owner', description: 'May do everything. Only owners make owners.' },
    ADMIN: { value: 'admin', description: 'Manages members, too.' },
    MEMBER: { value: 'member', description: 'Works in the organization.' },
    VIEWER: { value: 'viewer', description: 'Reads what it has.' },
  } as const,
})
