// Connections in the schema: pages of any list, in the words of the Relay specification.

import type { ObjectRef } from '@pothos/core'
import { builder } from '../graphql/builder.ts'
import { defaultPageSize, largestPage, type Page } from './page.ts'

type Types = typeof builder.$inferSchemaTypes

/** The types of a list's pages, named after what is in them. */
export function connectionOf<Row extends { id: string }>(name: string, of: string, node: ObjectRef<Types, Row>) {
  const Edge = builder.objectRef<Page<Row>['edges'][number]>(`${name}Edge`).implement({
    description: `An entry of a page of ${of}, and its place in the list.`,
    fields: t => ({
      // A row, whichever: the types of resolvers cannot be worked out for a type that is still open.
      node: t.field({ type: node, description: 'The entry.', resolve: edge => edge.node as never }),
      cursor: t.exposeString('cursor', { description: 'Give it as `after` for the page behind this entry.' }),
    }),
  })
  return builder.objectRef<Page<Row>>(`${name}Connection`).implement({
    description: `A page of ${of}.`,
    fields: t => ({
      nodes: t.field({ type: [node], description: 'The entries of the page.', resolve: page => page.nodes }),
      edges: t.field({ type: [Edge], description: 'The entries with their places in the list.', resolve: page => page.edges }),
      pageInfo: t.field({ type: builder.pageInfoRef(), description: 'Where the page is in the list.', resolve: page => page }),
      total: t.exposeInt('total', { nullable: true, description: 'Entries of the whole list; null unless asked for.' }),
    }),
  })
}

/** The arguments that every list takes. */
export const pageArgs = builder.args(t => ({
  first: t.int({ defaultValue: defaultPageSize, description: `Entries of the page, 1 to ${largestPage}.` }),
  after: t.string({ description: 'The cursor that the page before ended with.' }),
}))
