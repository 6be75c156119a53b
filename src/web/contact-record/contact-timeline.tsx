// The timeline of a contact.

import { useConnection } from '../data/use-connection.ts'
import { ContactTimelineDocument } from '../generated/documents/contact-record-activity.ts'
import { concerns, type RecordRef } from '../record/ref.ts'
import { pageSize, Timeline } from './activity/timeline.tsx'
import { useContactFields } from './fields/choices.ts'

export function ContactTimeline({ contactId: id, mayWrite }: { contactId: string; mayWrite: boolean }) {
  const record: RecordRef = { noun: 'contact', id }
  const list = useConnection({
    document: ContactTimelineDocument,
    variables: { id, first: pageSize },
    pick: data => data.contact?.timeline,
    isChangedBy: change => concerns(record, change),
  })
  return <Timeline record={record} list={list} fields={useContactFields()} mayWrite={mayWrite} />
}
