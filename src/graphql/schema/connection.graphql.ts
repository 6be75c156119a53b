// Connection types for paginated lists, according to the Relay specification.

import type { ObjectRef } from '@pothos/core'
import { defaultPageSize, maxPageSize, type Page } from '../../kernel/pagination.ts'
import { builder } from './builder.ts'

type Types = typeof builder.$inferSchemaTypes

const PageInfo = builder
  .objectRef<Pick<Page<{ id: string }>, 'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor'>>('PageInfo')
  .implement({
    fields: t => ({
      hasNextPage: t.exposeBoolean('hasNextPage'),
      hasPreviousPage: t.exposeBoolean('hasPreviousPage'),
      startCursor: t.exposeString('startCursor', { nullable: true }),
      endCursor: t.exposeString('endCursor', { nullable: true }),
    }),
  })

/** Declares the connection and edge types of a node type. */
export function connectionOf<Row extends { id: string }>(name: string, of: string, node: ObjectRef<Types, Row>) {
  const Edge = builder.objectRef<Page<Row>['edges'][number]>(`${name}Edge`).implement({
    description: `An entry of a page of ${of}, and its place in the list.`,
    fields: t => ({
      // `as never`: TypeScript cannot infer a resolver's return type for the generic `Row`.
      node: t.field({ type: node, description: 'The entry.', resolve: edge => edge.node as never }),
      cursor: t.exposeString('cursor', { description: 'Give it as `after` for the page behind this entry.' }),
    }),
  })
  return builder.objectRef<Page<Row>>(`${name}Connection`).implement({
    description: `A page of ${of}.`,
    fields: t => ({
      nodes: t.field({ type: [node], description: 'The entries of the page.', resolve: page => page.nodes }),
      edges: t.field({ type: [Edge], description: 'The entries with their places in the list.', resolve: page => page.edges }),
      pageInfo: t.field({ type: PageInfo, description: 'Where the page is in the list.', resolve: page => page }),
      total: t.exposeInt('total', { nullable: true, description: 'Entries of the whole list; null unless asked for.' }),
    }),
  })
}

/** The pagination arguments of every list. */
export const pageArgs = builder.args(t => ({
  first: t.int({ defaultValue: defaultPageSize, description: `Entries of the page, 1 to ${maxPageSize}.` }),
  after: t.string({ description: 'The cursor that the page before ended with.' }),
}))
