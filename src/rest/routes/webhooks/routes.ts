// The endpoints of webhooks: where changes are sent to, and the log of deliveries.

import { z } from 'zod'
import {
  CreateWebhookEndpointDocument,
  DeleteWebhookEndpointDocument,
  GetWebhookDeliveryDocument,
  GetWebhookEndpointDocument,
  ListWebhookDeliveriesDocument,
  ListWebhookEndpointsDocument,
  ListWebhookEventTypesDocument,
  ReplayWebhookDeliveriesDocument,
  ReplayWebhookDeliveryDocument,
  RotateWebhookSecretDocument,
  TestWebhookEndpointDocument,
  UpdateWebhookEndpointDocument,
} from '../../../generated/operations.ts'
import { developers, type Route, route } from '../../router/route.ts'
import { pageOf, total } from '../inputs.ts'
import { webhookExamples as examples } from './examples.ts'
import { deliveryFilter, endpointChange, newEndpoint, replayRange, rotation } from './inputs.ts'

const endpoints = '/api/webhooks/v1/endpoints'
const endpoint = `${endpoints}/{endpoint_id}` as const
const deliveries = '/api/webhooks/v1/deliveries'
const delivery = `${deliveries}/{delivery_id}` as const

const aWebhook = { role: 'api', tag: 'Webhooks', callers: developers, scope: 'webhooks:manage' } as const
const disabled = 'the endpoint is disabled'
const notReplayed = `${disabled}, or 10,000 replays to it are still to be sent`

export const webhookRoutes: readonly Route[] = [
  route('GET', '/api/webhooks/v1/event-types', ListWebhookEventTypesDocument, {
    ...aWebhook,
    summary: 'List the types of events',
    description:
      'All that webhook endpoints can receive, with the scope that reads them. All of them, on one page. ' +
      'Their payloads are described below, as webhooks.',
    examples: { answer: examples.eventTypes },
  }),
  route('POST', endpoints, CreateWebhookEndpointDocument, {
    ...aWebhook,
    summary: 'Add a webhook endpoint',
    description:
      'It receives changes committed from now on that the caller may read, signed by Standard Webhooks with the `secret`, which is shown once. ' +
      'It ends with the membership, and with the API key, that it was added with.',
    body: newEndpoint,
    status: 201,
    isSecret: true,
    errors: { CONFLICT: 'the organization has 50 endpoints' },
    examples: { body: examples.newEndpoint, answer: examples.endpointWithSecret },
  }),
  route('GET', endpoints, ListWebhookEndpointsDocument, {
    ...aWebhook,
    summary: 'List webhook endpoints',
    description: 'Newest first.',
    query: z.strictObject({ ...pageOf, include: total }),
    examples: { answer: examples.endpointPage },
  }),
  route('GET', endpoint, GetWebhookEndpointDocument, {
    ...aWebhook,
    summary: 'Get a webhook endpoint',
    description: 'Without its secret, which is shown when it is made.',
    etag: true,
    examples: { answer: examples.endpoint },
  }),
  route('PATCH', endpoint, UpdateWebhookEndpointDocument, {
    ...aWebhook,
    summary: 'Change a webhook endpoint',
    description:
      'A field that is absent stays as it is, null resets it. From then on it receives what the caller may read, unless only its description changes.',
    body: endpointChange,
    ifMatch: true,
    etag: true,
    examples: { body: examples.endpointChange, answer: examples.changedEndpoint },
  }),
  route('DELETE', endpoint, DeleteWebhookEndpointDocument, {
    ...aWebhook,
    summary: 'Remove a webhook endpoint',
    description: 'For good. Pending deliveries are not sent; the log stays for its 30 days.',
    ifMatch: true,
    etag: true,
    examples: { answer: examples.endpoint },
  }),
  route('POST', `${endpoint}/secret/rotate`, RotateWebhookSecretDocument, {
    ...aWebhook,
    summary: "Rotate a webhook endpoint's secret",
    description: 'Until the overlap ends, deliveries carry a signature by each of the two secrets.',
    body: rotation,
    bodyMayBeAbsent: true,
    isSecret: true,
    errors: { CONFLICT: 'two secrets are live, and `overlap_seconds` is not 0' },
    examples: { body: examples.rotation, answer: examples.endpointWithSecret },
  }),
  route('POST', `${endpoint}/test`, TestWebhookEndpointDocument, {
    ...aWebhook,
    summary: 'Send a test to a webhook endpoint',
    description: 'The event `webhook_endpoint.tested`, whatever the endpoint receives otherwise. The log shows its answer.',
    etag: true,
    errors: { CONFLICT: disabled },
    examples: { answer: examples.endpoint },
  }),
  route('POST', `${endpoint}/replay`, ReplayWebhookDeliveriesDocument, {
    ...aWebhook,
    summary: 'Replay the deliveries of a time',
    description: 'In their order and each message once, with the `webhook-id` that it had.',
    body: replayRange,
    errors: { CONFLICT: notReplayed },
    examples: { body: examples.replayRange, answer: examples.replay },
  }),
  route('GET', deliveries, ListWebhookDeliveriesDocument, {
    ...aWebhook,
    summary: 'List webhook deliveries',
    description: 'Deliveries, sent or pending, newest first, kept for 30 days. Filters combine with "and", the values of one with "or".',
    query: z.strictObject({ ...pageOf, include: total, ...deliveryFilter }),
    examples: { answer: examples.deliveryPage },
  }),
  route('GET', delivery, GetWebhookDeliveryDocument, {
    ...aWebhook,
    summary: 'Get a webhook delivery',
    description: 'With the sent body, and each answer cut at 4 kB. The body only for callers who may read the subject of the event.',
    examples: { answer: examples.deliveryLog },
  }),
  route('POST', `${delivery}/replay`, ReplayWebhookDeliveryDocument, {
    ...aWebhook,
    summary: 'Replay a webhook delivery',
    description: 'Behind what waits of its object, with its `webhook-id`; answers the new delivery.',
    status: 201,
    location: `${deliveries}/{id}`,
    errors: { CONFLICT: `it is not over yet, ${notReplayed}` },
    examples: { answer: examples.replayed },
  }),
]
