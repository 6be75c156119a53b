// The values of an endpoint's form: from the endpoint, and back to an input.

import type { WebhookEndpointRowFragment } from '../../generated/operations.ts'
import type { WebhookPayload } from '../../generated/schema.ts'
import { endpointWords } from '../../language/en/settings/endpoints.ts'

export interface EndpointValues {
  url: string
  description: string
  eventTypes: string[]
  filter: { field: string; values: string[] }[]
  payload: WebhookPayload
}

export const labels = {
  url: endpointWords.url,
  description: endpointWords.purpose,
  eventTypes: endpointWords.events,
  filter: endpointWords.filter,
  payload: endpointWords.payload,
} satisfies Record<keyof EndpointValues, string>

/** A field's value as a text. */
export function fieldText({ filter, ...values }: EndpointValues, name: keyof EndpointValues): string {
  if (name === 'filter') return filter.map(({ field, values }) => (values.length > 0 ? `${field}: ${values.join(', ')}` : field)).join('; ')
  if (name === 'eventTypes') return values.eventTypes.join(', ')
  return name === 'payload' ? values.payload.toLowerCase() : values[name]
}

export const emptyEndpoint: EndpointValues = { url: '', description: '', eventTypes: [], filter: [], payload: 'FULL' }

export const valuesOf = ({ url, description, eventTypes, filter, payload }: WebhookEndpointRowFragment): EndpointValues => ({
  url,
  description: description ?? '',
  eventTypes: [...eventTypes],
  filter: filter.map(({ field, values }) => ({ field, values: [...new Set((values ?? []).map(String))] })),
  payload,
})

export const inputOf = ({ description, filter, ...values }: EndpointValues) => ({
  ...values,
  description: description.trim() === '' ? null : description,
  filter: filter.map(condition => ({
    field: condition.field.trim(),
    values: condition.values.length === 0 ? null : condition.values.flatMap(meanings),
  })),
})

/** The typed text, and the number or boolean with the same text: a custom field may hold any of them. */
function meanings(text: string): unknown[] {
  if (text === 'true' || text === 'false') return [text, text === 'true']
  return text.trim() !== '' && String(Number(text)) === text ? [text, Number(text)] : [text]
}

export const checks = {
  url: (value: string) => (/^https?:\/\/./.test(value.trim()) ? null : endpointWords.urlNeeded),
  filter: { field: (value: string) => (value.trim() === '' ? endpointWords.fieldNeeded : null) },
}
