// Actions on the selected companies.

import type { CompanyFilter } from '../generated/operations.ts'
import { nounWords } from '../language/en/values.ts'
import { RecordActions, type RecordActionsProps } from './actions.tsx'
import { useCompanyBulk } from './use-company-bulk.ts'

export default function CompanyActions(props: RecordActionsProps<CompanyFilter>) {
  const bulk = useCompanyBulk()
  return <RecordActions {...props} bulk={bulk} nouns={nounWords.company} />
}
