// The events of a deal.

import { Box } from '@mantine/core'
import { useMemo } from 'react'
import { Days } from '../contact-record/activity/days.tsx'
import { nameOf } from '../contact-record/fields/fields.ts'
import { useConnection } from '../data/use-connection.ts'
import { type Deal, useDealFields } from '../deal-record/fields.ts'
import { DealTimelineDocument } from '../generated/documents/deal-record.ts'
import { recordWords } from '../language/en/contact/record.ts'
import { concerns } from '../record/ref.ts'

// As many as a contact's: a guest may not ask for more.
const pageSize = 30

export function Timeline({ deal: { id, company, contacts } }: { deal: Deal }) {
  const fields = useDealFields()
  const names = useMemo(() => {
    const people = (contacts ?? []).map(({ contact }) => [contact.id, nameOf(contact)] as const)
    return new Map([...people, ...(company ? [[company.id, company.name] as const] : [])])
  }, [company, contacts])
  const list = useConnection({
    document: DealTimelineDocument,
    variables: { id, first: pageSize },
    pick: data => data.deal?.timeline,
    isChangedBy: change => concerns({ noun: 'deal', id }, change),
  })
  return (
    <Box pt="md">
      <Days list={list} shown={list.rows} fields={fields} names={names} contactId={null} recordId={id} empty={recordWords.timeline.none} />
    </Box>
  )
}
