// Contacts in the form of an agent: their custom fields, and one contact whose fields fill the preview of its texts.

import { useMemo } from 'react'
import { useQuery } from 'urql'
import { SampleContactDocument } from '../../generated/documents/agents.ts'
import type { SampleContactQuery } from '../../generated/operations.ts'
import { type Filling, fillingOf } from './placeholders.ts'

export type CustomFieldOfContacts = SampleContactQuery['customFields'][number]

const none: readonly CustomFieldOfContacts[] = []

export function useFilling(): { filling: Filling; customFields: readonly CustomFieldOfContacts[] } {
  const [{ data }] = useQuery({ query: SampleContactDocument })
  const customFields = data?.customFields ?? none
  const contact = data?.contacts.nodes[0]
  const filling = useMemo(
    () =>
      fillingOf(
        contact,
        customFields.map(({ key }) => key),
      ),
    [contact, customFields],
  )
  return { filling, customFields }
}
