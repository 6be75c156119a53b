// The form for a new deal, in the panel.

import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { useQuery } from 'urql'
import { useOwners } from '../contact-record/fields/choices.ts'
import type { Option } from '../contact-record/fields/fields.ts'
import { stageOptions, usePipelines } from '../deal-record/choices.ts'
import { CompanySelect } from '../deal-record/company-select.tsx'
import { useWriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { Panel } from '../frame/panel.tsx'
import { CompanyRecordDocument } from '../generated/documents/company-record.ts'
import { CreateDealDocument, DefaultsOfDealsDocument } from '../generated/documents/deal-record.ts'
import { decimalOf } from '../language/amount.ts'
import { currencyOptions } from '../language/countries.ts'
import { dealWords } from '../language/en/deals/deals.ts'
import { fieldWords } from '../language/en/values.ts'
import { useMe } from '../session/use-me.ts'

interface CreateDealProps {
  isOpen: boolean
  /** The company that is chosen at first. */
  companyId: string | undefined
  /** The pipeline whose first stage is chosen. Default: the first one. */
  pipelineId: string | undefined
  onClose(): void
  onCreated(id: string): void
}

export default function CreateDeal({ isOpen, companyId, pipelineId, onClose, onCreated }: CreateDealProps) {
  const [{ data }] = useQuery({ query: CompanyRecordDocument, variables: { id: companyId ?? '' }, pause: companyId === undefined })
  const company = data?.company ? { value: data.company.id, label: data.company.name } : null
  const [{ data: found, error }] = useQuery({ query: DefaultsOfDealsDocument })
  const { me } = useMe()
  const pipelines = found?.pipelines ?? []
  const { stages = [] } = pipelines.find(({ id }) => id === pipelineId) ?? pipelines[0] ?? {}
  const defaults: Defaults = {
    stageId: stages.find(({ kind }) => kind === 'OPEN')?.id ?? null,
    currency: found?.organization.currency ?? null,
    ownerUserId: me?.userId ?? null,
  }
  // Without the defaults the form is of use, too: the server knows its own.
  const isReady = (companyId === undefined || company) && (found || error)
  return (
    <Panel isOpen={isOpen} isInAddress onClose={onClose} title={dealWords.create.title} isForm>
      {isReady && <CreateDealForm company={company} defaults={defaults} onClose={onClose} onCreated={onCreated} />}
    </Panel>
  )
}

interface Defaults {
  stageId: string | null
  currency: string | null
  ownerUserId: string | null
}

interface FormProps extends Pick<CreateDealProps, 'onClose' | 'onCreated'> {
  company: Option | null
  defaults: Defaults
}

function CreateDealForm({ company, defaults, onClose, onCreated }: FormProps) {
  const words = dealWords.create
  const currencies = useMemo(currencyOptions, [])
  const owners = useOwners()
  const stages = stageOptions(usePipelines())
  const write = useWriteForm({
    document: CreateDealDocument,
    draft: company ? `new-deal ${company.value}` : 'new-deal',
    initialValues: {
      ...{ title: '', amount: '', expectedClose: '', companyId: company?.value ?? null },
      ...defaults,
    },
    refuse: ({ title, amount: typed }) => {
      const problems = {
        ...(title.trim() === '' && { title: words.needed }),
        ...(typed.trim() !== '' && decimalOf(typed) === null && { amount: words.amount }),
      }
      return Object.keys(problems).length > 0 ? problems : null
    },
    toVariables: ({ title, amount: typed, currency, ...others }) => ({
      input: {
        title: title.trim(),
        // A currency is of an amount.
        ...(typed.trim() && { amount: decimalOf(typed), ...(currency && { currency }) }),
        ...Object.fromEntries(Object.entries(others).filter(([, value]) => value)),
      },
    }),
    onWritten: ({ createDeal }) => onCreated(createDeal.id),
  })
  const { form } = write
  return (
    <WriteFormView write={write} verb={words.verb} onCancel={onClose}>
      <TextInput label={fieldWords.title} description={words.titleHelp} maxLength={200} data-autofocus {...form.getInputProps('title')} />
      <CompanySelect label={fieldWords.companyId} first={company} {...form.getInputProps('companyId')} />
      <SimpleGrid cols={2} spacing="sm" verticalSpacing="md">
        <TextInput label={fieldWords.amount} inputMode="decimal" {...form.getInputProps('amount')} />
        <Select label={fieldWords.currency} data={currencies} searchable clearable {...form.getInputProps('currency')} />
        <TextInput label={fieldWords.expectedClose} type="date" max="9999-12-31" {...form.getInputProps('expectedClose')} />
        <Select label={fieldWords.stageId} data={stages} searchable allowDeselect={false} {...form.getInputProps('stageId')} />
      </SimpleGrid>
      <Select label={fieldWords.ownerUserId} data={[...owners]} searchable clearable {...form.getInputProps('ownerUserId')} />
    </WriteFormView>
  )
}
