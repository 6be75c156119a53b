// Connection types for paginated lists, according to the Relay specification.

import type { ObjectRef } from '@pothos/core'
import {
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { defaultPageSize, maxPageSize, type Page } from '../../../kernel/lists/pagination.ts'
import { inTime } from '../../../kernel/lists/total.ts'
import { builder } from '../builder.ts'

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
      cursor: t.exposeString('cursor', {
        description: 'Give it as `after` for the page behind this entry, as `before` for the one in front of it.',
      }),
    }),
  })
  return builder.objectRef<Page<Row>>(`${name}Connection`).implement({
    description: `A page of ${of}.`,
    fields: t => ({
      nodes: t.field({ type: [node], description: 'The entries of the page.', resolve: page => page.nodes }),
      edges: t.field({ type: [Edge], description: 'The entries with their places in the list.', resolve: page => page.edges }),
      pageInfo: t.field({ type: PageInfo, description: 'Where the page is in the list.', resolve: page => page }),
      totalCount: t.int({
        nullable: true,
        description: 'Entries of the whole list, counted beside the page. Null with UNAVAILABLE where counting takes too long.',
        extensions: { complexity: 5 },
        resolve: page => inTime(page.total()),
      }),
    }),
  })
}

/** The pagination arguments of every list: `first` with `after`, or `last` with `before`. */
export const pageArgs = builder.args(t => ({
  first: t.int({ description: `Entries of the page, 1 to ${maxPageSize}. Default: ${defaultPageSize}.` }),
  after: t.string({ description: 'The `endCursor` of the page before, with `first`.' }),
  last: t.int({ description: `In place of \`first\`: as many entries from the end of the list, or from \`before\`, 1 to ${maxPageSize}.` }),
  before: t.string({ description: 'The `startCursor` of the page behind, with `last`.' }),
}))

const AgeSortEnum = builder.enumType('AgeSort', {
  description: 'Orders of a list by the time of creation.',
  values: {
    CREATED_AT: { value: 'created_at', description: 'Oldest first.' },
    CREATED_AT_DESC: { value: 'created_at_desc', description: 'Newest first.' },
  } as const,
})

/** The argument of lists that have no other order. */
export const ageSortArgs = builder.args(t => ({
  sort: t.field({ type: AgeSortEnum, defaultValue: 'created_at_desc', description: 'In which order.' }),
}))

/** Whether a connection's `totalCount` is selected, so that it is counted while the page is read. */
export function isCounted({ fieldNodes, fragments, variableValues }: GraphQLResolveInfo): boolean {
  const selects = (set: SelectionSetNode | undefined): boolean =>
    set?.selections.some(selection => {
      if (!isIncluded(selection, variableValues)) return false
      if (selection.kind === Kind.FIELD) return selection.name.value === 'totalCount'
      return selects((selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection)?.selectionSet)
    }) ?? false
  return fieldNodes.some(({ selectionSet }) => selects(selectionSet))
}

const isIncluded = (node: SelectionNode, variables: GraphQLResolveInfo['variableValues']): boolean =>
  !node.directives?.length ||
  (getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false)
