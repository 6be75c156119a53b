// Users in the schema.

import { builder } from '../../graphql/schema/builder.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import type { User } from './user.ts'

export const UserType = builder.objectRef<User>('User').implement({
  description: 'A person, as those see them who have an organization in common with them.',
  interfaces: [Node],
  fields: t => ({
    name: t.exposeString('name', { nullable: true, description: 'The name, where the identity provider told it.' }),
    email: t.string({
      nullable: true,
      description: 'The e-mail address, where the identity provider told it. Null for guests.',
      resolve: ({ email }, _args, { principal }) => (principal.kind === 'guest' ? null : email),
    }),
  }),
})
