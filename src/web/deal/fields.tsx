// The fields of a deal, edited in their places.

import { FieldList } from '../contact-record/field-list.tsx'
import { FieldRow } from '../contact-record/field-row.tsx'
import { DealEditor } from '../deal-record/deal-editor.tsx'
import { DealValue } from '../deal-record/deal-value.tsx'
import { type Deal, useDealFields } from '../deal-record/fields.ts'

const always = new Set(['stageId', 'companyId', 'amount', 'expectedClose', 'ownerUserId', 'tags'])
const ofOutcome = new Set(['wonAt', 'lostAt', 'lostReason'])

export function Fields({ deal, mayWrite }: { deal: Deal; mayWrite: boolean }) {
  const fields = useDealFields()
  const isShown = (id: string) => (id === 'lostReason' ? deal.lostAt !== null : !ofOutcome.has(id) || deal[id as 'wonAt'] !== null)
  return (
    <FieldList
      record={deal}
      fields={fields.filter(({ id }) => isShown(id))}
      always={always}
      row={field => (
        <FieldRow
          key={field.id}
          record={deal}
          field={field}
          mayWrite={mayWrite}
          Editor={DealEditor}
          shown={<DealValue deal={deal} field={field} isWrapped />}
        />
      )}
    />
  )
}
