// The columns of the list, one for each field. Saved views use the API's names.

import { lazy, Suspense } from 'react'
import { loadPart } from '../app/loaded.ts'
import { FieldValue } from '../contact-record/fields/field-value.tsx'
import { type ContactField, nameOf } from '../contact-record/fields/fields.ts'
import type { ContactRowFragment } from '../generated/operations.ts'
import { contactWords } from '../language/en/contacts.ts'
import type { Column } from '../table/columns.ts'
import { NameCell } from '../table/name-cell.tsx'

// After the first rows, because nobody edits before them.
export const loadEditor = () => loadPart(() => import('../contact-record/fields/contact-editor.tsx'))
const ContactEditor = lazy(async () => ({ default: (await loadEditor()).ContactEditor }))
const RestoreRow = lazy(() => loadPart(() => import('./restore-row.tsx')))

type Contact = ContactRowFragment

const widths: Readonly<Record<string, number>> = {
  email: 240,
  companyName: 180,
  lifecycleStage: 130,
  phone: 160,
  tags: 220,
  doNotCall: 130,
}
const sorts: Readonly<Record<string, Column<Contact>['sort']>> = {
  email: { ascending: 'EMAIL', descending: 'EMAIL_DESC' },
  lifecycleStage: { ascending: 'STAGE', descending: 'STAGE_DESC' },
  updatedAt: { ascending: 'UPDATED_AT', descending: 'UPDATED_AT_DESC' },
  createdAt: { ascending: 'CREATED_AT', descending: 'CREATED_AT_DESC' },
}
const shownFirst = ['email', 'companyName', 'jobTitle', 'lifecycleStage', 'phone', 'ownerUserId', 'tags', 'updatedAt']
// The columns of deleted contacts.
const shownOfDeleted = ['deletedAt', 'email', 'companyName', 'lifecycleStage', 'phone', 'ownerUserId', 'tags']
// Only the record reads these fields; the rows of a list do not have them.
const ofRecordOnly = new Set(['fullName', 'region', 'timezone', 'linkedinUrl', 'externalId'])

const nameColumn: Column<Contact> = {
  id: 'fullName',
  header: 'Name',
  width: 240,
  sort: { ascending: 'LAST_NAME', descending: 'LAST_NAME_DESC' },
  cell: contact => (
    <NameCell
      name={nameOf(contact)}
      initials={contact.fullName ?? contact.email ?? '?'}
      isNameless={!contact.fullName}
      isDeleted={contact.deletedAt !== null}
    />
  ),
}

const restoreColumn: Column<Contact> = {
  id: 'restore',
  header: contactWords.bulk.restore,
  width: 130,
  cell: contact => (
    <Suspense>
      <RestoreRow contact={contact} />
    </Suspense>
  ),
  cardAction: contact => (
    <Suspense>
      <RestoreRow contact={contact} isOnCard />
    </Suspense>
  ),
}

/** The columns of the view of deleted contacts: they cannot be edited, but restored. */
export function columnsOfDeleted(fields: readonly ContactField[]): Column<Contact>[] {
  const deletedAt: ContactField = { id: 'deletedAt', label: contactWords.trash.deletedAt, kind: 'moment', isFixed: true }
  const [name, ...others] = columnsOf([deletedAt, ...fields.map(field => ({ ...field, isFixed: true }))], shownOfDeleted)
  return name ? [name, restoreColumn, ...others] : []
}

/** Columns in the order of a view, the others hidden after them. Without a view, the columns that most people need. */
export function columnsOf(fields: readonly ContactField[], chosen: readonly string[]): Column<Contact>[] {
  const shown = chosen.length > 0 ? chosen : shownFirst
  const place = ({ id }: Column<Contact>) => (shown.includes(id) ? shown.indexOf(id) : shown.length)
  const columns = fields
    .filter(({ id }) => !ofRecordOnly.has(id))
    .map((field): Column<Contact> => {
      const { id, label, kind, isFixed } = field
      return {
        id,
        header: label,
        width: widths[id] ?? (kind === 'moment' ? 150 : 160),
        ...(kind === 'number' && { align: 'right' as const }),
        ...(sorts[id] && { sort: sorts[id] }),
        isHidden: !shown.includes(id),
        cell: contact => <FieldValue record={contact} field={field} />,
        isOnCard: id === 'lifecycleStage' || id === 'phone',
        ...(id === 'lifecycleStage' && !isFixed && { editKey: 's' }),
        ...(!isFixed && { editor: ({ row, onDone }) => <ContactEditor record={row} field={field} onDone={onDone} /> }),
      }
    })
  return [nameColumn, ...columns.toSorted((a, b) => place(a) - place(b))]
}

/** The columns of an exported file: the table's columns, and the view's columns that only the record shows. */
export const exportedColumns = (chosen: readonly string[], shown: readonly string[]): string[] => [
  ...shown,
  ...chosen.filter(id => ofRecordOnly.has(id) && !shown.includes(id)),
]
