// The fields of a company for people: one list for columns and for its page.

import { useMemo } from 'react'
import { useQuery } from 'urql'
import { customField, type RecordField } from '../contact-record/fields/fields.ts'
import { FieldsOfCompaniesDocument } from '../generated/documents/company-record.ts'
import type { CompanyDetailsFragment, CompanyRowFragment } from '../generated/operations.ts'
import { contactWords } from '../language/en/contacts.ts'
import { fieldWords } from '../language/en/values.ts'
import { optionsOf } from '../language/values.ts'

/** A company with the fields of a list's row; its page has the others, too. */
export type Company = CompanyRowFragment & Partial<CompanyDetailsFragment>

const companyFields: readonly RecordField[] = [
  { id: 'name', label: fieldWords.name, kind: 'text' },
  { id: 'domain', label: fieldWords.domain, kind: 'text' },
  { id: 'domains', label: fieldWords.domains, kind: 'texts' },
  { id: 'website', label: fieldWords.website, kind: 'url' },
  { id: 'phone', label: fieldWords.phone, kind: 'phone' },
  { id: 'industry', label: fieldWords.industry, kind: 'text' },
  { id: 'employeeCount', label: fieldWords.employeeCount, kind: 'count' },
  { id: 'annualRevenue', label: fieldWords.annualRevenue, kind: 'money' },
  { id: 'city', label: fieldWords.city, kind: 'text' },
  { id: 'region', label: fieldWords.region, kind: 'text' },
  { id: 'country', label: fieldWords.country, kind: 'country' },
  { id: 'ownerUserId', label: fieldWords.ownerUserId, kind: 'owner' },
  { id: 'tags', label: fieldWords.tags, kind: 'tags' },
  { id: 'description', label: fieldWords.description, kind: 'text' },
  { id: 'linkedinUrl', label: fieldWords.linkedinUrl, kind: 'url' },
  { id: 'externalId', label: fieldWords.externalId, kind: 'text' },
  { id: 'source', label: fieldWords.source, kind: 'choice', options: optionsOf(contactWords.source), isRequired: true },
  { id: 'updatedAt', label: fieldWords.updatedAt, kind: 'moment', isFixed: true },
  { id: 'createdAt', label: fieldWords.createdAt, kind: 'moment', isFixed: true },
]

/** All fields, including the organization's custom fields of companies. */
export function useCompanyFields(): readonly RecordField[] {
  const [{ data }] = useQuery({ query: FieldsOfCompaniesDocument })
  return useMemo(() => [...companyFields, ...(data?.customFields ?? []).map(customField)], [data])
}
