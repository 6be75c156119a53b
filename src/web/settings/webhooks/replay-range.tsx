// The form that sends the deliveries of a time range again.

import { Checkbox, Stack, TextInput } from '@mantine/core'
import { useWriteForm } from '../../forms/use-write-form.ts'
import { WriteFormView } from '../../forms/write-form-view.tsx'
import { ReplayWebhookDeliveriesDocument } from '../../generated/documents/settings-webhooks.ts'
import type { WebhookDeliveryState } from '../../generated/schema.ts'
import { webhookWords } from '../../language/en/settings/webhooks.ts'
import { fromLocal, toLocal } from '../../task/moment.ts'

interface ReplayRangeProps {
  endpointId: string
  onClose(): void
  onReplayed(count: number): void
}

const states = ['FAILED', 'CANCELED', 'DELIVERED'] as const
const hourMs = 3_600_000

export function ReplayRange({ endpointId, onClose, onReplayed }: ReplayRangeProps) {
  const write = useWriteForm({
    document: ReplayWebhookDeliveriesDocument,
    initialValues: {
      since: toLocal(new Date(Date.now() - 24 * hourMs).toISOString()),
      until: '',
      stateIn: ['FAILED', 'CANCELED'] as WebhookDeliveryState[],
    },
    validate: {
      since: value => (value === '' ? 'Enter a time' : null),
      until: (value, { since }) => (value !== '' && value <= since ? 'Enter a time after the first one' : null),
      stateIn: value => (value.length === 0 ? 'Choose at least one' : null),
    },
    toVariables: ({ since, until, stateIn }) => ({
      input: { endpointId, since: fromLocal(since) ?? '', until: fromLocal(until), stateIn },
    }),
    onWritten: ({ replayWebhookDeliveries: { count } }) => onReplayed(count),
  })
  const { form } = write
  return (
    <WriteFormView write={write} verb="Replay deliveries" onCancel={onClose}>
      <TextInput label="Queued since" type="datetime-local" data-autofocus {...form.getInputProps('since')} />
      <TextInput label="Until" description="Empty: until now" type="datetime-local" {...form.getInputProps('until')} />
      <Checkbox.Group label="States" description="The first 1,000 are sent in order, each message once" {...form.getInputProps('stateIn')}>
        <Stack gap="xs" mt={6}>
          {states.map(state => (
            <Checkbox key={state} value={state} label={webhookWords.delivery[state]} />
          ))}
        </Stack>
      </Checkbox.Group>
    </WriteFormView>
  )
}
