// GraphQL: the mutations that write webhook endpoints.

import { builder, inputOfId } from '../../graphql/schema/builder.ts'
import { WebhookEndpointType, WebhookPayloadEnum } from './endpoint.graphql.ts'
import type { Endpoint } from './endpoint.sql.ts'
import { createEndpoint, deleteEndpoint, rotateSecret, testEndpoint, updateEndpoint } from './write.ts'

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]

const WebhookConditionInput = builder.inputType('WebhookConditionInput', {
  description: 'A condition on the fields of an event.',
  fields: t => ({
    field: t.string({
      required: true,
      description: 'A field as `changes` of the payload spells it, such as `lifecycle_stage` or `custom.plan`.',
    }),
    values: t.field({ type: ['JSON'], description: 'The values that it may have changed to, 1 to 50. Default: any.' }),
  }),
})

const endpointFields = (t: InputFields) => ({
  description: t.string({ description: 'Its purpose, at most 500 characters.' }),
  eventTypes: t.stringList({ description: 'The types of events that it receives; see `webhookEventTypes`. Default: all.' }),
  filter: t.field({
    type: [WebhookConditionInput],
    description: 'It receives only events for which one of these holds, at most 20. Default: all.',
  }),
  payload: t.field({ type: WebhookPayloadEnum, description: 'How much of an event it receives. Default: FULL.' }),
  isEnabled: t.boolean({ description: 'Whether anything is sent. Default: true.' }),
})

const CreateWebhookEndpointInput = builder.inputType('CreateWebhookEndpointInput', {
  description: 'An endpoint to add.',
  fields: t => ({
    url: t.string({ required: true, description: 'Where events are posted to, https or http; no redirect is followed.' }),
    ...endpointFields(t),
  }),
})

const UpdateWebhookEndpointInput = builder.inputType('UpdateWebhookEndpointInput', {
  description: 'Changes of an endpoint: an absent field stays as it is, null resets it.',
  fields: t => ({
    id: t.id({ required: true, description: "The endpoint's id." }),
    ifVersion: t.int({ description: 'Changes this version only; PRECONDITION_FAILED for another.' }),
    url: t.string({ description: 'Where events are posted to.' }),
    ...endpointFields(t),
  }),
})

const DeleteWebhookEndpointInput = builder.inputType('DeleteWebhookEndpointInput', {
  description: 'An endpoint to remove.',
  fields: t => ({
    id: t.id({ required: true, description: "The endpoint's id." }),
    ifVersion: t.int({ description: 'Removes this version only; PRECONDITION_FAILED for another.' }),
  }),
})

const RotateWebhookSecretInput = builder.inputType('RotateWebhookSecretInput', {
  description: 'An endpoint that gets a new secret.',
  fields: t => ({
    id: t.id({ required: true, description: "The endpoint's id." }),
    overlapSeconds: t.int({
      description: 'How long deliveries are signed with the secret before as well, at most seven days; 0 ends it at once. Default: a day.',
    }),
  }),
})

const WebhookSecretType = builder.objectRef<{ endpoint: Endpoint; secret: string }>('WebhookSecret').implement({
  description: 'An endpoint with its new secret.',
  fields: t => ({
    endpoint: t.expose('endpoint', { type: WebhookEndpointType, description: 'The endpoint.' }),
    secret: t.exposeString('secret', {
      description: 'The secret that signs its deliveries (`whsec_...`). Shown once; rotate it if it is lost.',
      extensions: { isSecret: true },
    }),
  }),
})

builder.mutationFields(t => ({
  createWebhookEndpoint: t.field({
    type: WebhookSecretType,
    description:
      'Adds an endpoint. It receives what the caller may read, for as long as the membership, and with an API key the key, lasts.',
    authScopes: { scope: 'webhooks:manage' },
    effect: { undoneBy: 'deleteWebhookEndpoint' },
    args: { input: t.arg({ type: CreateWebhookEndpointInput, required: true, description: 'The endpoint.' }) },
    resolve: (_parent, { input }, context) => createEndpoint(context, input),
  }),
  updateWebhookEndpoint: t.field({
    type: WebhookEndpointType,
    description: 'Changes an endpoint, which from then on receives what the caller may read, unless only its description changes.',
    authScopes: { scope: 'webhooks:manage' },
    effect: { overwrites: true, undoneBy: 'updateWebhookEndpoint with the former values', isIdempotent: true },
    args: { input: t.arg({ type: UpdateWebhookEndpointInput, required: true, description: 'The changes.' }) },
    resolve: (_parent, { input }, context) => updateEndpoint(context, input),
  }),
  deleteWebhookEndpoint: t.field({
    type: WebhookEndpointType,
    description: 'Removes an endpoint for good, and answers it. Pending deliveries are not sent; the log stays for its 30 days.',
    authScopes: { scope: 'webhooks:manage' },
    effect: { overwrites: true },
    args: { input: t.arg({ type: DeleteWebhookEndpointInput, required: true, description: 'The endpoint.' }) },
    resolve: (_parent, { input }, context) => deleteEndpoint(context, input),
  }),
  rotateWebhookSecret: t.field({
    type: WebhookSecretType,
    description: 'Gives an endpoint a new secret. CONFLICT while two are live, unless the overlap is 0.',
    authScopes: { scope: 'webhooks:manage' },
    effect: { overwrites: true },
    args: { input: t.arg({ type: RotateWebhookSecretInput, required: true, description: 'The endpoint.' }) },
    resolve: (_parent, { input }, context) => rotateSecret(context, input),
  }),
  testWebhookEndpoint: t.field({
    type: WebhookEndpointType,
    description: 'Sends `webhook_endpoint.tested` to an endpoint, whatever it receives otherwise. The log shows its answer.',
    authScopes: { scope: 'webhooks:manage' },
    effect: { reachesOutside: true },
    args: inputOfId('TestWebhookEndpointInput', 'The endpoint.'),
    resolve: (_parent, { input }, context) => testEndpoint(context, input.id),
  }),
}))
