// Custom fields of contacts, which the organization adds to the built-in fields.

import { Button, Select, TagsInput, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useRead } from '../data/use-read.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { useWriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { Panel } from '../frame/panel.tsx'
import { CreateCustomFieldDocument, CustomFieldsDocument, DeleteCustomFieldDocument } from '../generated/documents/settings.ts'
import type { FieldRowFragment } from '../generated/operations.ts'
import type { CustomFieldType } from '../generated/schema.ts'
import { confirm } from '../pieces/confirm.ts'
import { CopyIcon } from '../pieces/copy-text.tsx'
import { Empty } from '../pieces/states/empty.tsx'
import { useMe } from '../session/use-me.ts'
import { Row, Rows, Section } from './section.tsx'

const typeWords = {
  TEXT: 'Text',
  NUMBER: 'Number',
  BOOLEAN: 'Yes or no',
  DATE: 'Date',
  SELECT: 'One of a list',
  MULTI_SELECT: 'Several of a list',
  URL: 'Link',
} satisfies Record<CustomFieldType, string>

export function Fields() {
  const { isGuest, isOff } = useMe()
  const [isCreating, setCreating] = useState(false)
  const read = useRead(CustomFieldsDocument, {})
  const { data, reread } = read
  const deletion = useMutationWithProblems(DeleteCustomFieldDocument)
  const remove = ({ id, label }: FieldRowFragment) =>
    confirm({
      title: `Delete the field "${label}"?`,
      loses: 'Its values are deleted from all contacts. That cannot be undone.',
      verb: 'Delete field',
      typed: label,
      onConfirm: () => void deletion.run({ input: { id } }).then(reread),
    })
  const create = (
    <Button leftSection={<IconPlus />} disabled={isOff} onClick={() => setCreating(true)}>
      {isGuest ? 'Sign up to add fields' : 'New field'}
    </Button>
  )
  return (
    <Section
      read={read}
      height={114}
      failure={deletion.failure}
      title="Custom fields"
      sentence="Fields that your organization adds to its contacts."
      action={create}
    >
      {data?.customFields.length === 0 && <Empty sentence="Such as a contract number, or the date of a renewal." />}
      {data && data.customFields.length > 0 && (
        <Rows label="Custom fields">
          {data.customFields.map(field => (
            <Row
              key={field.id}
              name={
                <>
                  {field.label} <CopyIcon text={field.key} label={`the name of ${field.label} in the API`} />
                </>
              }
              facts={
                <>
                  <span>{typeWords[field.type]}</span>
                  {field.options.length > 0 && <span>{shorten(field.options)}</span>}
                </>
              }
              actions={
                <Button variant="default" disabled={isOff} aria-label={`Delete the field ${field.label}`} onClick={() => remove(field)}>
                  Delete
                </Button>
              }
            />
          ))}
        </Rows>
      )}
      <Panel isOpen={isCreating} onClose={() => setCreating(false)} title="New custom field" isForm>
        <CreateField
          onClose={() => setCreating(false)}
          onMade={() => {
            setCreating(false)
            reread()
          }}
        />
      </Panel>
    </Section>
  )
}

const shorten = (options: readonly string[]) =>
  options.length > 6 ? `${options.slice(0, 6).join(', ')} and ${options.length - 6} more` : options.join(', ')

function CreateField({ onClose, onMade }: { onClose(): void; onMade(): void }) {
  const [type, setType] = useState<CustomFieldType>('TEXT')
  const hasOptions = type === 'SELECT' || type === 'MULTI_SELECT'
  const write = useWriteForm({
    document: CreateCustomFieldDocument,
    draft: 'new-field',
    initialValues: { label: '', key: '', options: [] as string[] },
    validate: {
      label: value => (value.trim() === '' ? 'Enter a name' : null),
      key: value =>
        /^[a-z][a-z0-9_]{0,62}$/.test(value) ? null : 'A lower case letter, then letters, digits and underscores: renewal_date',
      options: value => (hasOptions && value.length === 0 ? 'Enter at least one' : null),
    },
    toVariables: ({ options, ...values }) => ({ input: { ...values, type, ...(hasOptions && { options }) } }),
    onWritten: onMade,
  })
  const { form } = write
  return (
    <WriteFormView write={write} verb="Create field" onCancel={onClose}>
      <TextInput
        label="Name"
        maxLength={200}
        data-autofocus
        {...form.getInputProps('label')}
        onBlur={() => {
          const { label, key } = form.getValues()
          if (key === '') form.setFieldValue('key', keyOf(label))
        }}
      />
      <TextInput
        label="Key"
        description="Its name in the API, which never changes"
        ff="monospace"
        maxLength={63}
        {...form.getInputProps('key')}
      />
      <Select
        label="Holds"
        data={Object.entries(typeWords).map(([value, label]) => ({ value: value as CustomFieldType, label }))}
        value={type}
        allowDeselect={false}
        onChange={value => value && setType(value)}
      />
      {hasOptions && <TagsInput label="Choices" description="Enter after each" maxTags={200} {...form.getInputProps('options')} />}
    </WriteFormView>
  )
}

/** Returns `renewal_date` for `Renewal date`. */
const keyOf = (label: string) =>
  label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|(?<!_)_+$/g, '')
    .slice(0, 63)
