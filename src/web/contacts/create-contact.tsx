// The form for a new contact, in the panel.

import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { useWriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { Panel } from '../frame/panel.tsx'
import { CreateContactDocument } from '../generated/documents/contacts.ts'
import type { LifecycleStage } from '../generated/schema.ts'
import { listWords } from '../language/en/contact/list.ts'
import { contactWords } from '../language/en/contacts.ts'
import { fieldWords } from '../language/en/values.ts'
import { optionsOf } from '../language/values.ts'

interface CreateContactProps {
  isOpen: boolean
  onClose(): void
  onCreated(id: string): void
}

export default function CreateContact({ isOpen, onClose, onCreated }: CreateContactProps) {
  return (
    <Panel isOpen={isOpen} isInAddress onClose={onClose} title={listWords.create.title} isForm>
      <CreateContactForm onClose={onClose} onCreated={onCreated} />
    </Panel>
  )
}

function CreateContactForm({ onClose, onCreated }: Omit<CreateContactProps, 'isOpen'>) {
  const write = useWriteForm({
    document: CreateContactDocument,
    draft: 'new-contact',
    initialValues: {
      firstName: '',
      lastName: '',
      email: '',
      phone: '',
      companyName: '',
      lifecycleStage: 'SUBSCRIBER' satisfies LifecycleStage as LifecycleStage,
    },
    refuse: saysNobody,
    toVariables: values => ({ input: withoutEmpty(values) }),
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
