// A contact with all data of its record, and the suggestions that wait for its fields.

import { useMemo } from 'react'
import { useQuery } from 'urql'
import { type Failure, failureOf } from '../data/failure.ts'
import { ContactRecordDocument, ContactSuggestionsDocument } from '../generated/documents/contact-record.ts'
import type { ContactRecordQuery, ContactSuggestionsQuery } from '../generated/operations.ts'

export type ContactRecord = NonNullable<ContactRecordQuery['contact']>
export type FieldMeta = ContactRecord['fieldMeta'][number]
export type WaitingSuggestion = ContactSuggestionsQuery['suggestions']['nodes'][number]

interface RecordState {
  contact: ContactRecord | null
  /** For each field the suggestion with the highest confidence. */
  suggestions: ReadonlyMap<string, WaitingSuggestion>
  failure: Failure | null
  isLoading: boolean
  retry(): void
}

export function useRecord(id: string): RecordState {
  const [{ data, error, fetching }, read] = useQuery({
    query: ContactRecordDocument,
    variables: { id },
    requestPolicy: 'cache-and-network',
  })
  const [{ data: waiting }] = useQuery({ query: ContactSuggestionsDocument, variables: { id }, requestPolicy: 'cache-and-network' })
  const suggestions = useMemo(() => {
    // An accepted suggestion disappears here at once; the list loses it only at the next reading.
    const pending = (waiting?.suggestions.nodes ?? []).filter(({ status }) => status === 'PENDING')
    return new Map(pending.toSorted((a, b) => a.confidence - b.confidence).map(one => [one.field, one]))
  }, [waiting])
  const contact = data?.contact?.id === id ? data.contact : null
  return {
    contact,
    suggestions,
    failure: error && !contact ? failureOf(error) : null,
    isLoading: fetching && !contact,
    retry: () => read({ requestPolicy: 'network-only' }),
  }
}
