// The form for a new company, in the panel.

import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { useWriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { Panel } from '../frame/panel.tsx'
import { CreateCompanyDocument } from '../generated/documents/companies.ts'
import { countryOptions } from '../language/countries.ts'
import { companyWords } from '../language/en/companies.ts'
import { contactWords } from '../language/en/contacts.ts'
import { fieldWords } from '../language/en/values.ts'

interface CreateCompanyProps {
  isOpen: boolean
  onClose(): void
  onCreated(id: string): void
}

export default function CreateCompany({ isOpen, onClose, onCreated }: CreateCompanyProps) {
  return (
    <Panel isOpen={isOpen} isInAddress onClose={onClose} title={companyWords.create.title} isForm>
      <CreateCompanyForm onClose={onClose} onCreated={onCreated} />
    </Panel>
  )
}

function CreateCompanyForm({ onClose, onCreated }: Omit<CreateCompanyProps, 'isOpen'>) {
  const words = companyWords.create
  const countries = useMemo(countryOptions, [])
  const write = useWriteForm({
    document: CreateCompanyDocument,
    draft: 'new-company',
    initialValues: { name: '', domain: '', industry: '', employeeCount: '', city: '', country: null as string | null },
    refuse({ name, domain, employeeCount }): Record<string, string> | null {
      if (name.trim() === '' && domain.trim() === '') return { name: words.needed }
      return /^\d{0,15}$/.test(employeeCount.trim()) ? null : { employeeCount: contactWords.record.wholeNumber(fieldWords.employeeCount) }
    },
    toVariables: ({ name, domain, industry, employeeCount, city, country }) => ({
      input: {
        name: name.trim() || domain.trim(),
        ...(domain.trim() && { domain }),
        ...(industry.trim() && { industry }),
        ...(employeeCount.trim() && { employeeCount: Number(employeeCount) }),
        ...(city.trim() && { city }),
        ...(country && { country }),
      },
    }),
    onWritten: ({ createCompany }) => onCreated(createCompany.id),
  })
  const { form } = write
  return (
    <WriteFormView write={write} verb={words.verb} onCancel={onClose}>
      <TextInput label={fieldWords.name} description={words.nameless} data-autofocus {...form.getInputProps('name')} />
      <TextInput label={fieldWords.domain} description={words.domain} inputMode="url" {...form.getInputProps('domain')} />
      <SimpleGrid cols={2} spacing="sm">
        <TextInput label={fieldWords.industry} {...form.getInputProps('industry')} />
        <TextInput label={fieldWords.employeeCount} inputMode="numeric" {...form.getInputProps('employeeCount')} />
        <TextInput label={fieldWords.city} {...form.getInputProps('city')} />
        <Select label={fieldWords.country} data={countries} searchable clearable {...form.getInputProps('country')} />
      </SimpleGrid>
    </WriteFormView>
  )
}
