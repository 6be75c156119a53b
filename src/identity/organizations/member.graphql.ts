// Members of an organization in the schema.

import { builder } from '../../graphql/schema/builder.ts'
import { connectionOf } from '../../graphql/schema/lists/connection.graphql.ts'
import { UserType } from '../users/user.graphql.ts'
import { userById } from '../users/user.ts'
import type { Member } from './member.ts'
import { changeMemberRole, removeMember } from './membership.ts'
import { InvitedRole, OrganizationRole } from './role.graphql.ts'

export const MemberType = builder.objectRef<Member>('Member').implement({
  description: 'A user in an organization.',
  fields: t => ({
    id: t.exposeID('id', { description: 'The same whenever this user is in this organization; for caches, not for `node`.' }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'The user; null when gone.',
      resolve: ({ user, userId }, _args, context) => user ?? userById(context, userId),
    }),
    role: t.expose('role', { type: OrganizationRole, description: 'Role of the user in the organization.' }),
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
export const MemberConnection = connectionOf('Member', 'the members of an organization', MemberType)

const ChangeMemberRoleInput = builder.inputType('ChangeMemberRoleInput', {
  description: 'Another role for a member of the organization of the request.',
  fields: t => ({
    userId: t.id({ required: true, description: 'The member.' }),
    role: t.field({ type: InvitedRole, required: true, description: 'The new role of the member.' }),
  }),
})
const RemoveMemberInput = builder.inputType('RemoveMemberInput', {
  description: 'A member of the organization of the request who is one no longer.',
  fields: t => ({ userId: t.id({ required: true, description: 'The member.' }) }),
})

builder.mutationFields(t => ({
  changeMemberRole: t.field({
    type: MemberType,
    description:
      "Gives a member another role, in force from the next request on, for the member's API keys too. OWNER is an offer: the role stays until the member accepts it with `acceptOwnership`. Only owners make and unmake owners; CONFLICT for the last one.",
    authScopes: { role: 'admin' },
    effect: { overwrites: true, undoneBy: 'changeMemberRole with the former role', isIdempotent: true },
    args: { input: t.arg({ type: ChangeMemberRoleInput, required: true, description: 'The member and the role.' }) },
    resolve: (_parent, { input }, context) => changeMemberRole(context, input),
  }),
  removeMember: t.field({
    type: MemberType,
    description:
      'Ends a membership, with the API keys and open invitations that the member made in the organization. Only owners remove owners; CONFLICT for the last one.',
    authScopes: { role: 'admin' },
    effect: { overwrites: true },
    args: { input: t.arg({ type: RemoveMemberInput, required: true, description: 'The member.' }) },
    resolve: (_parent, { input }, context) => removeMember(context, input.userId),
  }),
}))
