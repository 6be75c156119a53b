// The form for a new deal, in the panel.

import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { useOwners } from '../contact-record/fields/choices.ts'
import { stageOptions, usePipelines } from '../deal-record/choices.ts'
import { CompanySelect } from '../deal-record/company-select.tsx'
import { useWriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { Panel } from '../frame/panel.tsx'
import { CreateDealDocument } from '../generated/documents/deal-record.ts'
import { currencyOptions } from '../language/countries.ts'
import { dealWords } from '../language/en/deals/deals.ts'
import { fieldWords } from '../language/en/values.ts'

interface CreateDealProps {
  isOpen: boolean
  onClose(): void
  onCreated(id: string): void
}

export default function CreateDeal({ isOpen, onClose, onCreated }: CreateDealProps) {
  return (
    <Panel isOpen={isOpen} isInAddress onClose={onClose} title={dealWords.create.title} isForm>
      <CreateDealForm onClose={onClose} onCreated={onCreated} />
    </Panel>
  )
}

const amount = /^\d{1,15}(\.\d{1,6})?$/

function CreateDealForm({ onClose, onCreated }: Omit<CreateDealProps, 'isOpen'>) {
  const words = dealWords.create
  const currencies = useMemo(currencyOptions, [])
  const owners = useOwners()
  const stages = stageOptions(usePipelines())
  const write = useWriteForm({
    document: CreateDealDocument,
    draft: 'new-deal',
    initialValues: {
      ...{ title: '', amount: '', expectedClose: '' },
      ...{
        companyId: null as string | null,
        stageId: null as string | null,
        currency: null as string | null,
        ownerUserId: null as string | null,
      },
    },
    refuse: ({ title, amount: typed }) => {
      const problems = {
        ...(title.trim() === '' && { title: words.needed }),
        ...(typed.trim() !== '' && !amount.test(typed.trim()) && { amount: words.amount }),
      }
      return Object.keys(problems).length > 0 ? problems : null
    },
    toVariables: ({ title, amount: typed, ...others }) => ({
      input: {
        title: title.trim(),
        ...(typed.trim() && { amount: typed.trim() }),
        ...Object.fromEntries(Object.entries(others).filter(([, value]) => value)),
      },
    }),
    onWritten: ({ createDeal }) => onCreated(createDeal.id),
  })
  const { form } = write
  return (
    <WriteFormView write={write} verb={words.verb} onCancel={onClose}>
      <TextInput label={fieldWords.title} description={words.titleHelp} maxLength={200} data-autofocus {...form.getInputProps('title')} />
      <CompanySelect label={fieldWords.companyId} {...form.getInputProps('companyId')} />
      <SimpleGrid cols={2} spacing="sm">
        <TextInput label={fieldWords.amount} inputMode="decimal" {...form.getInputProps('amount')} />
        <Select label={fieldWords.currency} data={currencies} searchable clearable {...form.getInputProps('currency')} />
        <TextInput label={fieldWords.expectedClose} type="date" max="9999-12-31" {...form.getInputProps('expectedClose')} />
        <Select label={fieldWords.stageId} data={stages} searchable clearable {...form.getInputProps('stageId')} />
      </SimpleGrid>
      <Select label={fieldWords.ownerUserId} data={[...owners]} searchable clearable {...form.getInputProps('ownerUserId')} />
    </WriteFormView>
  )
}
