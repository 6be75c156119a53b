// The form of a webhook endpoint, for a new one and for changes.

import { Radio, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from 'urql'
import { ChangeFormView } from '../../forms/change-form-view.tsx'
import { useChangeForm } from '../../forms/use-change-form.ts'
import { useWriteForm, type WriteForm } from '../../forms/use-write-form.ts'
import { WriteFormView } from '../../forms/write-form-view.tsx'
import {
  CreateWebhookEndpointDocument,
  UpdateWebhookEndpointDocument,
  WebhookChoicesDocument,
  WebhookEndpointDocument,
} from '../../generated/documents/settings-webhooks.ts'
import type { WebhookEndpointRowFragment } from '../../generated/operations.ts'
import { endpointWords } from '../../language/en/settings/endpoints.ts'
import { plainWords } from '../../language/values.ts'
import { Several } from '../../pieces/several.tsx'
import { Conditions } from './conditions.tsx'
import { checks, type EndpointValues, emptyEndpoint, fieldText, inputOf, labels, valuesOf } from './endpoint-values.ts'

interface NewEndpointProps {
  onClose(): void
  onMade(made: { secret: string; endpoint: WebhookEndpointRowFragment }): void
}

export function NewEndpoint({ onClose, onMade }: NewEndpointProps) {
  const write = useWriteForm({
    document: CreateWebhookEndpointDocument,
    draft: 'new-webhook-endpoint',
    initialValues: emptyEndpoint,
    validate: checks,
    toVariables: values => ({ input: inputOf(values) }),
    onWritten: ({ createWebhookEndpoint }) => onMade(createWebhookEndpoint),
  })
  return (
    <WriteFormView write={write} verb={endpointWords.create} onCancel={onClose}>
      <Fields form={write.form} />
    </WriteFormView>
  )
}

interface ChangeEndpointProps {
  endpoint: WebhookEndpointRowFragment
  onClose(): void
}

export function ChangeEndpoint({ endpoint, onClose }: ChangeEndpointProps) {
  const change = useChangeForm({
    object: endpoint,
    valuesOf,
    inputOf,
    now: WebhookEndpointDocument,
    pickNow: ({ webhookEndpoint }) => webhookEndpoint,
    document: UpdateWebhookEndpointDocument,
    toVariables: (input, which) => ({ input: { ...input, ...which } }),
    pickWritten: ({ updateWebhookEndpoint }) => updateWebhookEndpoint,
    validate: checks,
    onWritten: onClose,
  })
  return (
    <ChangeFormView change={change} verb={endpointWords.save} labels={labels} textOf={fieldText} onCancel={onClose}>
      <Fields form={change.form} />
      <Text size="sm" c="dimmed">
        {endpointWords.afterChange}
      </Text>
    </ChangeFormView>
  )
}

function Fields({ form }: Pick<WriteForm<EndpointValues>, 'form'>) {
  const [{ data }] = useQuery({ query: WebhookChoicesDocument })
  const types = Map.groupBy(data?.webhookEventTypes ?? [], ({ entity }) => entity)
  const groups = [...types].map(([entity, all]) => ({ group: plainWords(entity), items: all.map(({ type }) => type) }))
  return (
    <>
      <TextInput
        label={labels.url}
        description={endpointWords.urlHelp}
        placeholder="https://example.com/webhooks"
        type="url"
        data-autofocus
        {...form.getInputProps('url')}
      />
      <TextInput
        label={labels.description}
        maxLength={500}
        placeholder={endpointWords.purposeExample}
        {...form.getInputProps('description')}
      />
      <Several
        label={labels.eventTypes}
        description={endpointWords.eventsHelp}
        placeholder={endpointWords.eventsExample}
        data={groups}
        clearable
        hidePickedOptions
        nothingFoundMessage={endpointWords.noEvent}
        maxDropdownHeight={280}
        {...form.getInputProps('eventTypes')}
      />
      <Conditions form={form} customKeys={data?.customFields.map(({ key }) => key) ?? []} />
      <Radio.Group label={labels.payload} {...form.getInputProps('payload')}>
        <Stack gap="xs" mt={6}>
          <Radio value="FULL" label={endpointWords.full} description={endpointWords.fullHelp} />
          <Radio value="THIN" label={endpointWords.thin} description={endpointWords.thinHelp} />
        </Stack>
      </Radio.Group>
    </>
  )
}
