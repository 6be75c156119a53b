// The roles in an organization, and their permissions.

import type { InvitedRole, OrganizationRole } from '../../generated/schema.ts'

const all = [
  { value: 'VIEWER', label: 'Viewer', description: 'Reads everything, changes nothing' },
  { value: 'MEMBER', label: 'Member', description: 'Reads and writes records, places calls, makes API keys' },
  { value: 'ADMIN', label: 'Admin', description: 'Also invites, removes and gives roles, but not to owners' },
  { value: 'OWNER', label: 'Owner', description: 'Everything, and hands the organization over' },
] as const satisfies readonly { value: InvitedRole; label: string; description: string }[]

/** The roles that a member with this role can give to others. */
export const rolesToGive = (own: OrganizationRole) => all.filter(({ value }) => value !== 'OWNER' || own === 'OWNER')
