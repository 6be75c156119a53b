// The fields of a company, edited in their places.

import { CompanyEditor } from '../company-record/company-editor.tsx'
import { type Company, useCompanyFields } from '../company-record/fields.ts'
import { FieldList } from '../contact-record/field-list.tsx'
import { FieldRow } from '../contact-record/field-row.tsx'

const always = new Set([
  'name',
  'domain',
  'website',
  'phone',
  'industry',
  'employeeCount',
  'annualRevenue',
  'country',
  'ownerUserId',
  'tags',
])

export function Fields({ company, mayWrite }: { company: Company; mayWrite: boolean }) {
  const fields = useCompanyFields()
  return (
    <FieldList
      record={company}
      fields={fields}
      always={always}
      row={field => <FieldRow key={field.id} record={company} field={field} mayWrite={mayWrite} Editor={CompanyEditor} />}
    />
  )
}
