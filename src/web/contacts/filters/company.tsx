// The company of a filter: its name in the chip, and its choice in the editor.

import { useQuery } from 'urql'
import { CompanySelect } from '../../deal-record/company-select.tsx'
import { CompanyOfFilterDocument } from '../../generated/documents/contacts-filters.ts'
import type { EditorProps } from './editors.tsx'

function useCompany(id: string | undefined) {
  const [{ data }] = useQuery({ query: CompanyOfFilterDocument, variables: { id: id ?? '' }, pause: id === undefined })
  return data?.company?.id === id ? (data?.company ?? null) : null
}

export default function CompanyName({ id }: { id: string }) {
  return useCompany(id)?.name ?? null
}

export function CompanyFilter({ label, value, onChange }: EditorProps<string>) {
  const company = useCompany(value)
  return (
    <CompanySelect
      // The name is read after the id.
      key={company?.id}
      label={label}
      first={company && { value: company.id, label: company.name }}
      defaultValue={value ?? null}
      onChange={companyId => onChange(companyId ?? undefined)}
      data-autofocus
      comboboxProps={{ withinPortal: false }}
    />
  )
}
