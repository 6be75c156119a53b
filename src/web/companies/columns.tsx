// The columns of the list of companies, one for each field that its rows have.

import { CompanyEditor } from '../company-record/company-editor.tsx'
import type { Company } from '../company-record/fields.ts'
import { FieldValue } from '../contact-record/fields/field-value.tsx'
import type { RecordField } from '../contact-record/fields/fields.ts'
import { fieldWords } from '../language/en/values.ts'
import { byAge, type Column } from '../table/columns.ts'
import { NameCell } from '../table/name-cell.tsx'

const widths: Readonly<Record<string, number>> = {
  domain: 150,
  employeeCount: 100,
  annualRevenue: 140,
  city: 110,
  country: 120,
  ownerUserId: 130,
  tags: 180,
}
const sorts: Readonly<Record<string, Column<Company>['sort']>> = {
  updatedAt: { ascending: 'UPDATED_AT', descending: 'UPDATED_AT_DESC' },
  createdAt: byAge,
}
const shownFirst = ['domain', 'industry', 'employeeCount', 'annualRevenue', 'city', 'country', 'ownerUserId', 'tags', 'updatedAt']
// The name has a column of its own, and only the page of a company reads the others.
const withoutColumn = new Set(['name', 'domains', 'description', 'linkedinUrl', 'externalId'])
// In this order: whom to call comes first. A number on a card does not say what it counts, so it has no employees.
const onCard = ['domain', 'phone', 'industry', 'city', 'country']
const atRight = new Set<RecordField['kind']>(['count', 'money', 'number'])

const nameColumn: Column<Company> = {
  id: 'name',
  header: fieldWords.name,
  width: 200,
  sort: { ascending: 'NAME', descending: 'NAME_DESC' },
  cell: ({ name, deletedAt }) => <NameCell name={name} isDeleted={deletedAt !== null} />,
}

/** Columns in the order of a view, the others hidden after them. Without a view, the columns that most people need. */
export function columnsOf(fields: readonly RecordField[], mayEdit: boolean, chosen: readonly string[]): Column<Company>[] {
  const shown = chosen.length > 0 ? chosen : shownFirst
  const place = ({ id }: Column<Company>) => (shown.includes(id) ? shown.indexOf(id) : shown.length)
  const columns = fields
    .filter(({ id }) => !withoutColumn.has(id))
    .map((field): Column<Company> => {
      const { id, label, kind, isFixed } = field
      return {
        id,
        header: label,
        width: widths[id] ?? 150,
        ...(atRight.has(kind) && { align: 'right' as const }),
        ...(sorts[id] && { sort: sorts[id] }),
        isOnCard: onCard.includes(id),
        cardPlace: onCard.indexOf(id),
        isHidden: !shown.includes(id),
        cell: company => <FieldValue record={company} field={field} />,
        ...(mayEdit && !isFixed && { editor: ({ row, onDone }) => <CompanyEditor record={row} field={field} onDone={onDone} /> }),
      }
    })
  return [nameColumn, ...columns.toSorted((a, b) => place(a) - place(b))]
}

/** The columns of an exported file: the table's columns, and the view's columns that only the page of a company shows. */
export const exportedColumns = (chosen: readonly string[], shown: readonly string[]): string[] =>
  [...shown, ...chosen.filter(id => withoutColumn.has(id) && !shown.includes(id))].flatMap(id =>
    // An amount is of its currency.
    id === 'annualRevenue' ? [id, 'annualRevenueCurrency'] : [id],
  )
