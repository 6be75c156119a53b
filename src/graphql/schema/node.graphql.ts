// GraphQL: Relay's interface Node, of all objects that `node(id:)` finds.

import { builder } from './builder.ts'

export const Node = builder.interfaceRef<{ id: string }>('Node').implement({
  description: 'Something that has an id of its own and can be read again by it.',
  fields: t => ({ id: t.exposeID('id', { description: 'A UUIDv7, unique among everything: ids sort by time of creation.' }) }),
})
