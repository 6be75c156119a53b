// The form for a new API key.

import { Checkbox, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWriteForm } from '../../forms/use-write-form.ts'
import { WriteFormView } from '../../forms/write-form-view.tsx'
import { CreateApiKeyDocument } from '../../generated/documents/settings.ts'
import type { ApiKeyScope } from '../../generated/schema.ts'
import { dayOf, daysAfter, startOfDay } from '../../language/zone.ts'
import { scopeWords, singleScopes } from './scopes.ts'

interface CreateKeyProps {
  onClose(): void
  onMade(made: { key: string; label: string }): void
}

const lifetimes = [
  { value: '0', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

export function CreateKey({ onClose, onMade }: CreateKeyProps) {
  const [isLimited, setLimited] = useState(false)
  const write = useWriteForm({
    document: CreateApiKeyDocument,
    draft: 'new-key',
    initialValues: { label: '', days: '0', scopes: [] as ApiKeyScope[] },
    validate: {
      label: value => (value.trim() === '' ? 'Enter a purpose, such as "Nightly import"' : null),
      scopes: value => (isLimited && value.length === 0 ? 'Choose at least one' : null),
    },
    toVariables: ({ label, days, scopes }) => ({
      input: {
        label,
        ...(isLimited && { scopes }),
        ...(days !== '0' && { expiresAt: endOfDay(Number(days)) }),
      },
    }),
    onWritten: ({ createApiKey: { key, apiKey } }) => onMade({ key, label: apiKey.label }),
  })
  const { form } = write
  return (
    <WriteFormView write={write} verb="Create key" onCancel={onClose}>
      <TextInput
        label="Purpose"
        description="Helps you to recognize the key later"
        maxLength={100}
        data-autofocus
        {...form.getInputProps('label')}
      />
      <Radio.Group label="Permissions" value={isLimited ? 'some' : 'all'} onChange={value => setLimited(value === 'some')}>
        <Stack gap="xs" mt={6}>
          <Radio value="all" label="All of your permissions" />
          <Radio value="some" label="Only these permissions" />
        </Stack>
      </Radio.Group>
      {isLimited && (
        <Checkbox.Group aria-label="Selected permissions" {...form.getInputProps('scopes')}>
          <Stack gap="xs" pl="lg">
            {singleScopes.map(scope => (
              <Checkbox key={scope} value={scope} label={scopeWords[scope]} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <Select label="Expires" data={lifetimes} allowDeselect={false} {...form.getInputProps('days')} />
    </WriteFormView>
  )
}

// A fixed time, and not the moment of the click: the same form sent again must be the same request.
const endOfDay = (days: number): string => startOfDay(daysAfter(dayOf(new Date()), days + 1)).toISOString()
