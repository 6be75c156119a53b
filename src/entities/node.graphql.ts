// GraphQL: entities by id alone, for clients with a normalized cache.

import { builder } from '../graphql/schema/builder.ts'
import { Node } from '../graphql/schema/node.graphql.ts'
import { findNodes } from './nodes.ts'

builder.queryFields(t => ({
  node: t.field({
    type: Node,
    nullable: true,
    description: 'What has the id, deleted contacts included; null for nothing that the caller may read.',
    authScopes: { someone: true },
    args: { id: t.arg.id({ required: true, description: 'The id.' }) },
    resolve: async (_root, { id }, context) => (await findNodes(context, [id]))[0] as never,
  }),
  nodes: t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description: 'What has each of the ids, in their order; null for nothing that the caller may read.',
    authScopes: { someone: true },
    args: { ids: t.arg.idList({ required: true, description: 'At most 200 ids.' }) },
    resolve: (_root, { ids }, context) => findNodes(context, ids) as never,
  }),
}))
