// The form for a new contact, in the panel. It may begin with a company.

import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { useWriteForm } from '../../forms/use-write-form.ts'
import { WriteFormView } from '../../forms/write-form-view.tsx'
import { Panel } from '../../frame/panel.tsx'
import { CreateContactDocument } from '../../generated/documents/contact-record-create.ts'
import type { LifecycleStage } from '../../generated/schema.ts'
import { listWords } from '../../language/en/contact/list.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { fieldWords } from '../../language/en/values.ts'
import { optionsOf } from '../../language/values.ts'
import type { Option } from '../fields/fields.ts'

interface CreateContactProps {
  isOpen: boolean
  /** Whether the address says that the panel is open. */
  isInAddress?: boolean
  /** The company of the contact. Another name in the form means another company. */
  company?: Option
  onClose(): void
  onCreated(id: string): void
}

export default function CreateContact({ isOpen, isInAddress = false, onClose, ...form }: CreateContactProps) {
  return (
    <Panel isOpen={isOpen} isInAddress={isInAddress} onClose={onClose} title={listWords.create.title} isForm>
      <CreateContactForm onClose={onClose} {...form} />
    </Panel>
  )
}

function CreateContactForm({ company, onClose, onCreated }: Omit<CreateContactProps, 'isOpen' | 'isInAddress'>) {
  const write = useWriteForm({
    document: CreateContactDocument,
    draft: company ? `new-contact ${company.value}` : 'new-contact',
    initialValues: {
      firstName: '',
      lastName: '',
      email: '',
      phone: '',
      companyName: company?.label ?? '',
      lifecycleStage: 'SUBSCRIBER' satisfies LifecycleStage as LifecycleStage,
    },
    refuse: saysNobody,
    toVariables: values => ({
      input: { ...withoutEmpty(values), ...(company && values.companyName.trim() === company.label && { companyId: company.value }) },
    }),
    onWritten: ({ createContact }) => onCreated(createContact.id),
  })
  const { form } = write
  return (
    <WriteFormView write={write} verb={listWords.create.verb} onCancel={onClose}>
      <SimpleGrid cols={2} spacing="sm">
        <TextInput label={fieldWords.firstName} data-autofocus {...form.getInputProps('firstName')} />
        <TextInput label={fieldWords.lastName} {...form.getInputProps('lastName')} />
      </SimpleGrid>
      <TextInput label={fieldWords.email} type="email" description={listWords.create.unique} {...form.getInputProps('email')} />
      <TextInput label={fieldWords.phone} type="tel" description={listWords.create.phone} {...form.getInputProps('phone')} />
      <TextInput label={fieldWords.companyName} {...form.getInputProps('companyName')} />
      <Select
        label={fieldWords.lifecycleStage}
        data={optionsOf(contactWords.stage)}
        allowDeselect={false}
        {...form.getInputProps('lifecycleStage')}
      />
    </WriteFormView>
  )
}

// The API takes a contact with only an external id, for programs that fill it later. Nobody could find such a contact in the list.
const needed = ['firstName', 'lastName', 'email', 'phone', 'companyName'] as const

const saysNobody = (values: Record<(typeof needed)[number], string>) =>
  needed.every(name => values[name].trim() === '') ? { firstName: listWords.create.needed } : null

/** Leaves out empty fields: for the API "" is a value. */
function withoutEmpty<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as Partial<Values>
}
