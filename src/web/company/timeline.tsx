// The timeline of a company, with the events of its people and deals.

import { useCompanyFields } from '../company-record/fields.ts'
import { pageSize, Timeline } from '../contact-record/activity/timeline.tsx'
import { useConnection } from '../data/use-connection.ts'
import { CompanyTimelineDocument } from '../generated/documents/company-record.ts'
import { concerns, type RecordRef } from '../record/ref.ts'

export function CompanyTimeline({ companyId: id, mayWrite }: { companyId: string; mayWrite: boolean }) {
  const record: RecordRef = { noun: 'company', id }
  const list = useConnection({
    document: CompanyTimelineDocument,
    variables: { id, first: pageSize },
    pick: data => data.company?.timeline,
    isChangedBy: change => concerns(record, change),
  })
  return <Timeline record={record} list={list} fields={useCompanyFields()} mayWrite={mayWrite} />
}
