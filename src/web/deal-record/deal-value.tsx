// Shows a field of a deal: the stage and the company by their names.

import { FieldValue } from '../contact-record/fields/field-value.tsx'
import type { RecordField } from '../contact-record/fields/fields.ts'
import type { Deal } from './fields.ts'
import { StageStatus } from './stage-status.tsx'

interface DealValueProps {
  deal: Deal
  field: RecordField
  /** Whether a long list breaks into lines. Cells cut it off. */
  isWrapped?: boolean
}

export function DealValue({ deal, field, isWrapped = false }: DealValueProps) {
  switch (field.id) {
    case 'stageId':
      return <StageStatus deal={deal} />
    case 'pipelineId':
      return deal.pipeline?.name
    case 'companyId':
      return deal.company?.name
    default:
      return <FieldValue record={deal} field={field} isWrapped={isWrapped} />
  }
}
