// The roles in an organization, and their permissions.

import type { InvitedRole, OrganizationRole } from '../../generated/schema.ts'
import { peopleWords } from '../../language/en/people.ts'
import { memberWords } from '../../language/en/settings/members.ts'

const all = ['VIEWER', 'MEMBER', 'ADMIN', 'OWNER'] as const satisfies readonly InvitedRole[]

/** The roles that a member with this role can give to others. */
export const rolesToGive = (own: OrganizationRole) =>
  all
    .filter(role => role !== 'OWNER' || own === 'OWNER')
    .map(value => ({ value, label: peopleWords.role[value], description: memberWords.roles[value] }))
