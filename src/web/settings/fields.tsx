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
import { customFieldWords } from '../language/en/settings/custom-fields.ts'
import { optionsOf } from '../language/values.ts'
import { confirm } from '../pieces/confirm.ts'
import { CopyIcon } from '../pieces/copy-text.tsx'
import { Empty } from '../pieces/states/empty.tsx'
import { useMe } from '../session/use-me.ts'
import { Row, Rows, Section } from './section.tsx'

export function Fields() {
  const { isGuest, isOff } = useMe()
  const [isCreating, setCreating] = useState(false)
  const read = useRead(CustomFieldsDocument, {})
  const { data, reread } = read
  const deletion = useMutationWithProblems(DeleteCustomFieldDocument)
  const remove = ({ id, label }: FieldRowFragment) =>
    confirm({
      title: customFieldWords.deleteQuestion(label),
      loses: customFieldWords.deleteLoses,
      verb: customFieldWords.deleteField,
      typed: label,
      onConfirm: () => void deletion.run({ input: { id } }).then(reread),
    })
  const create = (
    <Button leftSection={<IconPlus />} disabled={isOff} onClick={() => setCreating(true)}>
      {isGuest ? customFieldWords.signUp : customFieldWords.new}
    </Button>
  )
  return (
    <Section
      read={read}
      height={114}
      failure={deletion.failure}
      title={customFieldWords.title}
      sentence={customFieldWords.sentence}
      action={create}
    >
      {data?.customFields.length === 0 && <Empty sentence={customFieldWords.empty} />}
      {data && data.customFields.length > 0 && (
        <Rows label={customFieldWords.title}>
          {data.customFields.map(field => (
            <Row
              key={field.id}
              name={
                <>
                  {field.label} <CopyIcon text={field.key} label={customFieldWords.apiName(field.label)} />
                </>
              }
              facts={
                <>
                  <span>{customFieldWords.types[field.type]}</span>
                  {field.options.length > 0 && <span>{shorten(field.options)}</span>}
                </>
              }
              actions={
                <Button
                  variant="default"
                  disabled={isOff}
                  aria-label={customFieldWords.deleteLabel(field.label)}
                  onClick={() => remove(field)}
                >
                  {customFieldWords.delete}
                </Button>
              }
            />
          ))}
        </Rows>
      )}
      <Panel isOpen={isCreating} onClose={() => setCreating(false)} title={customFieldWords.newTitle} isForm>
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
  options.length > 6 ? customFieldWords.andMore(options.slice(0, 6).join(', '), options.length - 6) : options.join(', ')

function CreateField({ onClose, onMade }: { onClose(): void; onMade(): void }) {
  const [type, setType] = useState<CustomFieldType>('TEXT')
  const hasOptions = type === 'SELECT' || type === 'MULTI_SELECT'
  const write = useWriteForm({
    document: CreateCustomFieldDocument,
    draft: 'new-field',
    initialValues: { label: '', key: '', options: [] as string[] },
    validate: {
      label: value => (value.trim() === '' ? customFieldWords.nameNeeded : null),
      key: value => (/^[a-z][a-z0-9_]{0,62}$/.test(value) ? null : customFieldWords.keyProblem),
      options: value => (hasOptions && value.length === 0 ? customFieldWords.optionNeeded : null),
    },
    toVariables: ({ options, ...values }) => ({ input: { ...values, type, ...(hasOptions && { options }) } }),
    onWritten: onMade,
  })
  const { form } = write
  return (
    <WriteFormView write={write} verb={customFieldWords.create} onCancel={onClose}>
      <TextInput
        label={customFieldWords.name}
        maxLength={200}
        data-autofocus
        {...form.getInputProps('label')}
        onBlur={() => {
          const { label, key } = form.getValues()
          if (key === '') form.setFieldValue('key', keyOf(label))
        }}
      />
      <TextInput
        label={customFieldWords.key}
        description={customFieldWords.keyHelp}
        ff="monospace"
        maxLength={63}
        {...form.getInputProps('key')}
      />
      <Select
        label={customFieldWords.holds}
        data={optionsOf(customFieldWords.types)}
        value={type}
        allowDeselect={false}
        onChange={value => value && setType(value)}
      />
      {hasOptions && (
        <TagsInput
          label={customFieldWords.choices}
          description={customFieldWords.choicesHelp}
          maxTags={200}
          {...form.getInputProps('options')}
        />
      )}
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
