// The fields of a deal for people: one list for columns and for its page.

import { useMemo } from 'react'
import { useQuery } from 'urql'
import { customField, type RecordField } from '../contact-record/fields/fields.ts'
import { FieldsOfDealsDocument } from '../generated/documents/deal-record.ts'
import type { DealDetailsFragment, DealRowFragment } from '../generated/operations.ts'
import { contactWords } from '../language/en/contacts.ts'
import { fieldWords } from '../language/en/values.ts'
import { optionsOf } from '../language/values.ts'

/** A deal with the fields of a list's row; its page has the others, too. */
export type Deal = DealRowFragment & Partial<DealDetailsFragment>

const dealFields: readonly RecordField[] = [
  { id: 'title', label: fieldWords.title, kind: 'text' },
  { id: 'pipelineId', label: fieldWords.pipelineId, kind: 'text', isFixed: true },
  { id: 'stageId', label: fieldWords.stageId, kind: 'text' },
  { id: 'companyId', label: fieldWords.companyId, kind: 'text' },
  { id: 'amount', label: fieldWords.amount, kind: 'money' },
  { id: 'expectedClose', label: fieldWords.expectedClose, kind: 'date' },
  { id: 'ownerUserId', label: fieldWords.ownerUserId, kind: 'owner' },
  { id: 'tags', label: fieldWords.tags, kind: 'tags' },
  { id: 'lostReason', label: fieldWords.lostReason, kind: 'text' },
  { id: 'stageChangedAt', label: fieldWords.stageChangedAt, kind: 'moment', isFixed: true },
  { id: 'wonAt', label: fieldWords.wonAt, kind: 'moment', isFixed: true },
  { id: 'lostAt', label: fieldWords.lostAt, kind: 'moment', isFixed: true },
  { id: 'externalId', label: fieldWords.externalId, kind: 'text' },
  { id: 'source', label: fieldWords.source, kind: 'choice', options: optionsOf(contactWords.source), isRequired: true },
  { id: 'updatedAt', label: fieldWords.updatedAt, kind: 'moment', isFixed: true },
  { id: 'createdAt', label: fieldWords.createdAt, kind: 'moment', isFixed: true },
]

/** All fields, including the organization's custom fields of deals. */
export function useDealFields(): readonly RecordField[] {
  const [{ data }] = useQuery({ query: FieldsOfDealsDocument })
  return useMemo(() => [...dealFields, ...(data?.customFields ?? []).map(customField)], [data])
}
