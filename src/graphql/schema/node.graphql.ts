// GraphQL: the interface of everything that `node(id:)` finds, as the Relay specification has it.

import { builder } from './builder.ts'

export const Node = builder.interfaceRef<{ id: string }>('Node').implement({
  description: 'Something that has an id of its own and can be read again by it.',
  fields: t => ({ id: t.exposeID('id', { description: 'A UUIDv7, unique among everything: ids sort by time of creation.' }) }),
})
