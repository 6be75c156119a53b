// The events of a company.

import { Box } from '@mantine/core'
import { useCompanyFields } from '../company-record/fields.ts'
import { Days } from '../contact-record/activity/days.tsx'
import { useConnection } from '../data/use-connection.ts'
import { CompanyTimelineDocument } from '../generated/documents/company-record.ts'
import { recordWords } from '../language/en/contact/record.ts'
import { concerns } from '../record/ref.ts'

// As many as a contact's: a guest may not ask for more.
const pageSize = 30

export function Timeline({ companyId }: { companyId: string }) {
  const fields = useCompanyFields()
  const list = useConnection({
    document: CompanyTimelineDocument,
    variables: { id: companyId, first: pageSize },
    pick: data => data.company?.timeline,
    isChangedBy: change => concerns({ noun: 'company', id: companyId }, change),
  })
  return (
    <Box pt="md">
      <Days list={list} shown={list.rows} fields={fields} contactId={null} empty={recordWords.timeline.none} />
    </Box>
  )
}
