// A noun with duplicates: how its pairs are read, merged and dismissed, and how a record is shown.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { FieldHolder, RecordField } from '../contact-record/fields/fields.ts'
import type { Page } from '../data/connection-pages.ts'
import type { MergePreviewQuery } from '../generated/operations.ts'
import type { DuplicateReason } from '../generated/schema.ts'
import type { duplicateWords } from '../language/en/screens/duplicates.ts'
import type { Change } from '../live/change.ts'

/** A record of a pair. */
export interface MergedRecord extends FieldHolder {
  createdAt: string
}

export interface Pair<Row> {
  first: Row
  duplicate: Row
  reasons: readonly DuplicateReason[]
}

export type MergedField = NonNullable<MergePreviewQuery['preview']>['fields'][number]

interface Preview<Row> {
  winner: Row
  loser: Row
  fields: readonly MergedField[]
}

export type Side = 'WINNER' | 'LOSER'
/** For each field, the record whose value stays. The keys are the API's names of fields. */
export type Choices = Readonly<Record<string, Side>>

interface ToMerge {
  winnerId: string
  loserId: string
  fields: object
}

export interface MergeKind<Row extends MergedRecord> {
  noun: 'contact' | 'company'
  words: (typeof duplicateWords)['contact']
  pairs: TypedDocumentNode<{ pairs: Page<Pair<Row>> }, { first: number; after?: string | null }>
  count: TypedDocumentNode<{ pairs: { totalCount: number | null } }, Record<string, never>>
  preview: TypedDocumentNode<{ preview: Preview<Row> | null }, ToMerge>
  merge: TypedDocumentNode<{ merged: { mergeId: string; winner: Row } }, { input: ToMerge }>
  undo: TypedDocumentNode<{ undone: { mergeId: string } }, { input: { mergeId: string } }>
  dismiss: TypedDocumentNode<{ dismissed: { id: string } }, { input: { contactId: string; companyId: string; otherId: string } }>
  /** The name of the first id of a dismissal. */
  idName: 'contactId' | 'companyId'
  /** Whether a change adds pairs or removes some. */
  isChangedBy(change: Change): boolean
  /** All fields that a merge may decide about. */
  useFields(): readonly RecordField[]
  nameOf(row: Row): string
  /** A word beside the name, which tells records of one name apart; null for none. */
  detailOf(row: Row): string | null
}

// The server combines the values of both records, so there is no choice.
const combining: ReadonlySet<string> = new Set<MergedField['reason']>(['EITHER', 'LATEST', 'UNITED'])
export const isCombined = ({ reason }: MergedField): boolean => combining.has(reason)
