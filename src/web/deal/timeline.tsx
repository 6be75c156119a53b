// The timeline of a deal.

import { useMemo } from 'react'
import { pageSize, Timeline } from '../contact-record/activity/timeline.tsx'
import { nameOf } from '../contact-record/fields/fields.ts'
import { useConnection } from '../data/use-connection.ts'
import { type Deal, useDealFields } from '../deal-record/fields.ts'
import { DealTimelineDocument } from '../generated/documents/deal-record.ts'
import { concerns, type RecordRef } from '../record/ref.ts'

export function DealTimeline({ deal: { id, company, contacts }, mayWrite }: { deal: Deal; mayWrite: boolean }) {
  const record: RecordRef = { noun: 'deal', id }
  const names = useMemo(() => {
    const people = (contacts ?? []).map(({ contact }) => [contact.id, nameOf(contact)] as const)
    return new Map([...people, ...(company ? [[company.id, company.name] as const] : [])])
  }, [company, contacts])
  const list = useConnection({
    document: DealTimelineDocument,
    variables: { id, first: pageSize },
    pick: data => data.deal?.timeline,
    isChangedBy: change => concerns(record, change),
  })
  return <Timeline record={record} list={list} fields={useDealFields()} names={names} mayWrite={mayWrite} />
}
