// The endpoints of webhooks: where changes are sent to, and the log of what was sent.

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
import { developers } from '../../router/callers.ts'
import { type Route, route } from '../../router/route.ts'
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
  route({
    ...aWebhook,
    method: 'GET',
    path: '/api/webhooks/v1/event-types',
    operationId: 'listWebhookEventTypes',
    summary: 'List the types of events',
    description:
      'All that webhook endpoints can receive, with the scope that reads them. All of them, on one page. ' +
      'Their payloads are described below, as webhooks.',
    document: ListWebhookEventTypesDocument,
    status: 200,
    examples: { answer: examples.eventTypes },
  }),
  route({
    ...aWebhook,
    method: 'POST',
    path: endpoints,
    operationId: 'createWebhookEndpoint',
    summary: 'Add a webhook endpoint',
    description:
      'It receives what is committed from now on and the caller may read, signed by Standard Webhooks with the `secret`, which is shown this once. ' +
      'It ends with the membership, and with the API key, that it was added with.',
    body: newEndpoint,
    document: CreateWebhookEndpointDocument,
    status: 201,
    isSecret: true,
    errors: { CONFLICT: 'the organization has 50 endpoints' },
    examples: { body: examples.newEndpoint, answer: examples.endpointWithSecret },
  }),
  route({
    ...aWebhook,
    method: 'GET',
    path: endpoints,
    operationId: 'listWebhookEndpoints',
    summary: 'List webhook endpoints',
    description: 'Newest first.',
    query: z.strictObject({ ...pageOf, include: total }),
    document: ListWebhookEndpointsDocument,
    status: 200,
    examples: { answer: examples.endpointPage },
  }),
  route({
    ...aWebhook,
    method: 'GET',
    path: endpoint,
    operationId: 'getWebhookEndpoint',
    summary: 'Get a webhook endpoint',
    description: 'Without its secret, which is shown when it is made.',
    document: GetWebhookEndpointDocument,
    status: 200,
    etag: true,
    examples: { answer: examples.endpoint },
  }),
  route({
    ...aWebhook,
    method: 'PATCH',
    path: endpoint,
    operationId: 'updateWebhookEndpoint',
    summary: 'Change a webhook endpoint',
    description:
      'A field that is absent stays as it is, null resets it. From then on it receives what the caller may read, unless only its description changes.',
    body: endpointChange,
    ifMatch: true,
    document: UpdateWebhookEndpointDocument,
    status: 200,
    etag: true,
    examples: { body: examples.endpointChange, answer: examples.changedEndpoint },
  }),
  route({
    ...aWebhook,
    method: 'DELETE',
    path: endpoint,
    operationId: 'deleteWebhookEndpoint',
    summary: 'Remove a webhook endpoint',
    description: 'For good. What waits is not sent any more; the log stays for its 30 days.',
    ifMatch: true,
    document: DeleteWebhookEndpointDocument,
    status: 200,
    etag: true,
    examples: { answer: examples.endpoint },
  }),
  route({
    ...aWebhook,
    method: 'POST',
    path: `${endpoint}/secret/rotate`,
    operationId: 'rotateWebhookSecret',
    summary: "Rotate a webhook endpoint's secret",
    description: 'Until the overlap ends, deliveries carry a signature by each of the two secrets.',
    body: rotation,
    bodyMayBeAbsent: true,
    document: RotateWebhookSecretDocument,
    status: 200,
    isSecret: true,
    errors: { CONFLICT: 'two secrets are live, and `overlap_seconds` is not 0' },
    examples: { body: examples.rotation, answer: examples.endpointWithSecret },
  }),
  route({
    ...aWebhook,
    method: 'POST',
    path: `${endpoint}/test`,
    operationId: 'testWebhookEndpoint',
    summary: 'Send a test to a webhook endpoint',
    description: 'The event `webhook_endpoint.tested`, whatever the endpoint receives otherwise. The log shows its answer.',
    document: TestWebhookEndpointDocument,
    status: 200,
    etag: true,
    errors: { CONFLICT: disabled },
    examples: { answer: examples.endpoint },
  }),
  route({
    ...aWebhook,
    method: 'POST',
    path: `${endpoint}/replay`,
    operationId: 'replayWebhookDeliveries',
    summary: 'Replay the deliveries of a time',
    description: 'In their order and each message once, with the `webhook-id` that it had.',
    body: replayRange,
    document: ReplayWebhookDeliveriesDocument,
    status: 200,
    errors: { CONFLICT: notReplayed },
    examples: { body: examples.replayRange, answer: examples.replay },
  }),
  route({
    ...aWebhook,
    method: 'GET',
    path: deliveries,
    operationId: 'listWebhookDeliveries',
    summary: 'List webhook deliveries',
    description:
      'What was sent and is to be sent, newest first, kept for 30 days. Filters combine with "and", the values of one with "or".',
    query: z.strictObject({ ...pageOf, include: total, ...deliveryFilter }),
    document: ListWebhookDeliveriesDocument,
    status: 200,
    examples: { answer: examples.deliveryPage },
  }),
  route({
    ...aWebhook,
    method: 'GET',
    path: delivery,
    operationId: 'getWebhookDelivery',
    summary: 'Get a webhook delivery',
    description: 'With what was sent, and each answer cut at 4 kB. The body only for those who may read what the event is about.',
    document: GetWebhookDeliveryDocument,
    status: 200,
    examples: { answer: examples.deliveryLog },
  }),
  route({
    ...aWebhook,
    method: 'POST',
    path: `${delivery}/replay`,
    operationId: 'replayWebhookDelivery',
    summary: 'Replay a webhook delivery',
    description: 'Behind what waits of its object, with its `webhook-id`; answers the new delivery.',
    document: ReplayWebhookDeliveryDocument,
    status: 201,
    location: `${deliveries}/{id}`,
    errors: { CONFLICT: `it is not over yet, ${notReplayed}` },
    examples: { answer: examples.replayed },
  }),
]
