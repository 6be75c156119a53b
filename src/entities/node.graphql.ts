// GraphQL: entities by id alone, for clients with a normalized cache.

import { builder } from '../graphql/schema/builder.ts'
import { Node } from '../graphql/schema/node.graphql.ts'
import { findNodes } from './nodes.ts'

builder.queryFields(t => ({
  node: t.field({
    type: Node,
    nullable: true,
    description: 'The object with the id, deleted contacts included; null where the caller may read none.',
    authScopes: { someone: true },
    args: { id: t.arg.id({ required: true, description: 'The id.' }) },
    resolve: async (_root, { id }, context) => (await findNodes(context, [id]))[0] as never,
  }),
  nodes: t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description: 'The objects with the ids, in their order; null where the caller may read none.',
    authScopes: { someone: true },
    args: { ids: t.arg.idList({ required: true, description: 'At most 200 ids.' }) },
    resolve: (_root, { ids }, context) => findNodes(context, ids) as never,
  }),
}))
