// The form for a new contact, in the panel.

import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { useWriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { Panel } from '../frame/panel.tsx'
import { CreateContactDocument } from '../generated/documents/contacts.ts'
import type { LifecycleStage } from '../generated/schema.ts'
import { contactWords } from '../language/en/contacts.ts'
import { optionsOf } from '../language/values.ts'

interface CreateContactProps {
  isOpen: boolean
  onClose(): void
  onCreated(id: string): void
}

export default function CreateContact({ isOpen, onClose, onCreated }: CreateContactProps) {
  return (
    <Panel isOpen={isOpen} isInAddress onClose={onClose} title="New contact" isForm>
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
    <WriteFormView write={write} verb="Create contact" onCancel={onClose}>
      <SimpleGrid cols={2} spacing="sm">
        <TextInput label="First name" data-autofocus {...form.getInputProps('firstName')} />
        <TextInput label="Last name" {...form.getInputProps('lastName')} />
      </SimpleGrid>
      <TextInput label="Email" type="email" description="Unique among your contacts" {...form.getInputProps('email')} />
      <TextInput label="Phone" type="tel" description="With the country, such as +49 30 1234567" {...form.getInputProps('phone')} />
      <TextInput label="Company" {...form.getInputProps('companyName')} />
      <Select label="Stage" data={optionsOf(contactWords.stage)} allowDeselect={false} {...form.getInputProps('lifecycleStage')} />
    </WriteFormView>
  )
}

// The API takes a contact with only an external id, for programs that fill it later. Nobody could find such a contact in the list.
const needed = ['firstName', 'lastName', 'email', 'phone', 'companyName'] as const

const saysNobody = (values: Record<(typeof needed)[number], string>) =>
  needed.every(name => values[name].trim() === '')
    ? { firstName: 'Give at least a name, an email address, a phone number or a company' }
    : null

/** Leaves out empty fields: for the API "" is a value. */
function withoutEmpty<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as Partial<Values>
}
