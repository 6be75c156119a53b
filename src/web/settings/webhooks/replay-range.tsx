// The form that sends the deliveries of a time range again.

import { Checkbox, Stack, TextInput } from '@mantine/core'
import { useWriteForm } from '../../forms/use-write-form.ts'
import { WriteFormView } from '../../forms/write-form-view.tsx'
import { ReplayWebhookDeliveriesDocument } from '../../generated/documents/settings-webhooks.ts'
import type { WebhookDeliveryState } from '../../generated/schema.ts'
import { endpointWords } from '../../language/en/settings/endpoints.ts'
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
      since: value => (value === '' ? endpointWords.timeNeeded : null),
      until: (value, { since }) => (value !== '' && value <= since ? endpointWords.laterNeeded : null),
      stateIn: value => (value.length === 0 ? endpointWords.chooseOne : null),
    },
    toVariables: ({ since, until, stateIn }) => ({
      input: { endpointId, since: fromLocal(since) ?? '', until: fromLocal(until), stateIn },
    }),
    onWritten: ({ replayWebhookDeliveries: { count } }) => onReplayed(count),
  })
  const { form } = write
  return (
    <WriteFormView write={write} verb={endpointWords.replayVerb} onCancel={onClose}>
      <TextInput label={endpointWords.queuedSince} type="datetime-local" data-autofocus {...form.getInputProps('since')} />
      <TextInput label={endpointWords.until} description={endpointWords.untilHelp} type="datetime-local" {...form.getInputProps('until')} />
      <Checkbox.Group label={endpointWords.states} description={endpointWords.statesHelp} {...form.getInputProps('stateIn')}>
        <Stack gap="xs" mt={6}>
          {states.map(state => (
            <Checkbox key={state} value={state} label={webhookWords.delivery[state]} />
          ))}
        </Stack>
      </Checkbox.Group>
    </WriteFormView>
  )
}
