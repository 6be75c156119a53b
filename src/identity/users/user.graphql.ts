// Users in the schema.

import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder } from '../../graphql/schema/builder.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { users } from '../../kernel/nouns/nouns.ts'
import { isEmailVerified, loadUsers, type User, userById } from './user.ts'

export const UserType = builder.objectRef<User>('User').implement({
  description: 'A person, as those see them who have an organization in common with them.',
  interfaces: [Node],
  fields: t => ({
    name: t.exposeString('name', { nullable: true, description: 'The name, where the identity provider told it.' }),
    email: t.string({
      nullable: true,
      description: 'The email address, where the identity provider told it. Null for guests.',
      resolve: ({ email }, _args, { principal }) => (principal.kind === 'guest' ? null : email),
    }),
    isEmailVerified: t.boolean({
      nullable: true,
      description:
        'Whether the person has proved to receive mail at the address. False: anybody may have typed it. Null where an outside identity provider vouches for it, and for guests.',
      resolve: ({ id }, _args, context) => (context.principal.kind === 'guest' ? null : isEmailVerified(context, id)),
    }),
  }),
})

builder.objectField(ActorType, 'user', t =>
  t.field({
    type: UserType,
    nullable: true,
    description: 'The person, where it was one and is still a member of the organization; for signed-in users.',
    resolve: ({ type, id }, _args, context) =>
      type === 'user' && id !== null && context.principal.kind === 'session' ? userById(context, id) : null,
  }),
)

// Last, because any text may be the id of a user.
noun('user', UserType, { mayRead: users, load: loadUsers, hasTextId: true, rank: 200 })
