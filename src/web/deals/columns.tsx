// The columns of the list of deals, one for each field that its rows have.

import type { RecordField } from '../contact-record/fields/fields.ts'
import { DealEditor } from '../deal-record/deal-editor.tsx'
import { DealValue } from '../deal-record/deal-value.tsx'
import type { Deal } from '../deal-record/fields.ts'
import { byAge, type Column } from '../table/columns.ts'
import { NameCell } from '../table/name-cell.tsx'

const widths: Readonly<Record<string, number>> = {
  companyId: 160,
  stageId: 140,
  amount: 120,
  expectedClose: 130,
  ownerUserId: 130,
  tags: 140,
  stageChangedAt: 150,
}
const sorts: Readonly<Record<string, Column<Deal>['sort']>> = {
  amount: { ascending: 'AMOUNT', descending: 'AMOUNT_DESC' },
  expectedClose: { ascending: 'EXPECTED_CLOSE', descending: 'EXPECTED_CLOSE_DESC' },
  updatedAt: { ascending: 'UPDATED_AT', descending: 'UPDATED_AT_DESC' },
  createdAt: byAge,
}
const shownFirst = ['companyId', 'stageId', 'amount', 'expectedClose', 'ownerUserId', 'tags', 'stageChangedAt']
const onCard = new Set(['companyId', 'stageId', 'amount', 'expectedClose'])
const atRight = new Set<RecordField['kind']>(['money', 'number'])
// Only lost deals have a reason, so the server refuses it for others.
const isEditable = ({ id, isFixed }: RecordField) => !isFixed && id !== 'lostReason'

/** Columns in the order of a view, the others hidden after them. Without a view, the columns that most people need. */
export function columnsOf(fields: readonly RecordField[], mayEdit: boolean, chosen: readonly string[]): Column<Deal>[] {
  const shown = chosen.length > 0 ? chosen : shownFirst
  const place = ({ id }: Column<Deal>) => (shown.includes(id) ? shown.indexOf(id) : shown.length)
  const columnOf = (field: RecordField): Column<Deal> => {
    const { id, label, kind } = field
    return {
      id,
      header: label,
      width: widths[id] ?? 150,
      ...(atRight.has(kind) && { align: 'right' as const }),
      ...(sorts[id] && { sort: sorts[id] }),
      isOnCard: onCard.has(id),
      isHidden: !shown.includes(id),
      cell: deal => <DealValue deal={deal} field={field} />,
      ...(mayEdit && isEditable(field) && { editor: ({ row, onDone }) => <DealEditor record={row} field={field} onDone={onDone} /> }),
    }
  }
  const title = fields
    .filter(({ id }) => id === 'title')
    .map(
      (field): Column<Deal> => ({
        ...{ id: 'title', header: field.label, width: 210, sort: { ascending: 'TITLE', descending: 'TITLE_DESC' } },
        cell: deal => <NameCell name={deal.title} initials={null} isDeleted={deal.deletedAt !== null} />,
      }),
    )
  const others = fields.filter(({ id }) => id !== 'title').map(columnOf)
  return [...title, ...others.toSorted((a, b) => place(a) - place(b))]
}

// A file has the names that the table shows, and the currency beside the amount.
const inFile: Readonly<Record<string, readonly string[]>> = {
  companyId: ['companyName'],
  pipelineId: ['pipelineName'],
  stageId: ['stageName'],
  amount: ['amount', 'currency'],
}
/** The columns of an exported file. */
export const exportedColumns = (shown: readonly string[]): string[] => shown.flatMap(id => inFile[id] ?? [id])
