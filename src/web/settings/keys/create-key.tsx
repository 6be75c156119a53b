// The form for a new API key.

import { Checkbox, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWriteForm } from '../../forms/use-write-form.ts'
import { WriteFormView } from '../../forms/write-form-view.tsx'
import { CreateApiKeyDocument } from '../../generated/documents/settings.ts'
import type { ApiKeyScope } from '../../generated/schema.ts'
import { keyWords } from '../../language/en/settings/keys.ts'
import { dayOf, daysAfter, startOfDay } from '../../language/zone.ts'
import { scopeWords, singleScopes } from './scopes.ts'

interface CreateKeyProps {
  onClose(): void
  onMade(made: { key: string; label: string }): void
}

const lifetimes = [
  { value: '0', label: keyWords.never },
  { value: '30', label: keyWords.days30 },
  { value: '90', label: keyWords.days90 },
  { value: '365', label: keyWords.year },
]

export function CreateKey({ onClose, onMade }: CreateKeyProps) {
  const [isLimited, setLimited] = useState(false)
  const write = useWriteForm({
    document: CreateApiKeyDocument,
    draft: 'new-key',
    initialValues: { label: '', days: '0', scopes: [] as ApiKeyScope[] },
    validate: {
      label: value => (value.trim() === '' ? keyWords.purposeNeeded : null),
      scopes: value => (isLimited && value.length === 0 ? keyWords.chooseOne : null),
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
    <WriteFormView write={write} verb={keyWords.create} onCancel={onClose}>
      <TextInput
        label={keyWords.purpose}
        description={keyWords.purposeHelp}
        maxLength={100}
        data-autofocus
        {...form.getInputProps('label')}
      />
      <Radio.Group label={keyWords.permissions} value={isLimited ? 'some' : 'all'} onChange={value => setLimited(value === 'some')}>
        <Stack gap="xs" mt={6}>
          <Radio value="all" label={keyWords.all} />
          <Radio value="some" label={keyWords.some} />
        </Stack>
      </Radio.Group>
      {isLimited && (
        <Checkbox.Group aria-label={keyWords.selected} {...form.getInputProps('scopes')}>
          <Stack gap="xs" pl="lg">
            {singleScopes.map(scope => (
              <Checkbox key={scope} value={scope} label={scopeWords[scope]} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <Select label={keyWords.expires} data={lifetimes} allowDeselect={false} {...form.getInputProps('days')} />
    </WriteFormView>
  )
}

// A fixed time, and not the moment of the click: the same form sent again must be the same request.
const endOfDay = (days: number): string => startOfDay(daysAfter(dayOf(new Date()), days + 1)).toISOString()
