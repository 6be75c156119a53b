// The saved views of one noun's list: their documents, and the same filters in a view and in the address of the list.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { customField } from '../contact-record/fields/fields.ts'
import type { CreateSavedViewInput, UpdateSavedViewInput, ViewConditionsInput } from '../generated/operations.ts'
import type { ViewNoun } from '../generated/schema.ts'
import type { Plural } from '../language/format.ts'

export interface View {
  id: string
  version: number
  name: string
  /** Of the noun's list, with null for each condition that is not set. */
  conditions: object
  sort: string | null
  columns: string[]
  isShared: boolean
  isDefault: boolean
}

// Methods, so that each noun may name its own type of filter. Guarantee: they get the filters of views that `list` has read.
export interface ViewKind<Search extends object = object, Sort extends string = string> {
  noun: ViewNoun
  nouns: Plural
  list: TypedDocumentNode<{ savedViews: { nodes: View[] } }, { first: number }>
  save: TypedDocumentNode<{ createSavedView: View }, { input: CreateSavedViewInput }>
  change: TypedDocumentNode<{ updateSavedView: View }, { input: UpdateSavedViewInput }>
  /** Reads the custom fields of the noun. */
  fields: TypedDocumentNode<{ customFields: Parameters<typeof customField>[0][] }, Record<string, never>>
  /** The column that is always the first. */
  nameColumn: string
  /** The field of `ViewConditionsInput`. */
  conditionsOf(filter: object): ViewConditionsInput
  filterOf(search: Search): object
  /** Every parameter of the filters, undefined for those that are not set. The filters that cannot show a condition leave it out. */
  searchOf(filter: object): Search
  sortOf(sort: string | null): Sort | undefined
  isFiltered(search: Search): boolean
  isOfDeleted(search: Search): boolean
  /** The filters as words for the name of a view. A hook. */
  useWords(search: Search): string[]
}
