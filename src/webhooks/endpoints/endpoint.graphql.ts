// GraphQL: webhook endpoints.

import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder, byId } from '../../graphql/schema/builder.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import type { DeclaredEvent } from '../../kernel/nouns/events.ts'
import { nounNamed, toldEvents } from '../../kernel/nouns/nouns.ts'
import type { Condition, Endpoint } from './endpoint.sql.ts'
import { getEndpoint, listEndpoints, loadEndpoints } from './endpoint.ts'

export const WebhookPayloadEnum = builder.enumType('WebhookPayload', {
  description: 'How much of an event is sent.',
  values: {
    FULL: { value: 'full', description: 'The changes, and the object as it is when the delivery is sent first.' },
    THIN: { value: 'thin', description: 'The type of the event and the id of the object; the rest is read through the API.' },
  } as const,
})

const WebhookEndpointState = builder.enumType('WebhookEndpointState', {
  description: 'Whether anything is sent.',
  values: {
    ENABLED: { value: 'enabled', description: 'Events are sent.' },
    DISABLED: { value: 'disabled', description: 'Nothing is sent, and nothing is kept for later.' },
  } as const,
})

const WebhookDisabledReason = builder.enumType('WebhookDisabledReason', {
  description: 'Why an endpoint is disabled.',
  values: {
    BY_USER: { value: 'by_user', description: 'Somebody has disabled it.' },
    GONE: { value: 'gone', description: 'It answered 410.' },
    FAILING: { value: 'failing', description: 'It has taken nothing in five days.' },
    MAKER_LEFT: {
      value: 'maker_left',
      description: 'The membership or the API key that it reads with has ended, or the payer has changed and has not confirmed the key.',
    },
    ACCOUNT_RECOVERED: { value: 'account_recovered', description: 'It was made before the address of its owner was verified.' },
  } as const,
})

const WebhookConditionType = builder.objectRef<Condition>('WebhookCondition').implement({
  description: 'A condition on the fields of an event.',
  fields: t => ({
    field: t.exposeString('field', { description: 'A field as `changes` of the payload spells it; of custom ones, `custom.<key>`.' }),
    values: t.field({
      type: ['JSON'],
      nullable: { list: true, items: true },
      description: 'The values that it may have changed to; null for any.',
      resolve: ({ values }) => values,
    }),
  }),
})

export const WebhookEndpointType = builder.objectRef<Endpoint>('WebhookEndpoint').implement({
  description: 'An address that changes are sent to, signed by Standard Webhooks.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    url: t.exposeString('url', { description: 'Where events are posted to.' }),
    description: t.exposeString('description', { nullable: true, description: 'Its purpose.' }),
    eventTypes: t.exposeStringList('eventTypes', { description: 'The types of events that it receives; none for all.' }),
    filter: t.expose('filter', {
      type: [WebhookConditionType],
      description: 'It receives only events for which one of these holds; none for all.',
    }),
    payload: t.expose('payload', { type: WebhookPayloadEnum, description: 'How much of an event it receives.' }),
    state: t.expose('state', { type: WebhookEndpointState, description: 'Whether anything is sent.' }),
    disabledReason: t.expose('disabledReason', {
      type: WebhookDisabledReason,
      nullable: true,
      description: 'Why it is disabled; null while it is not.',
    }),
    disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true, description: 'When it was disabled.' }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description: 'The first failure since the last success. After five days it is disabled.',
    }),
    previousSecretUntil: t.expose('previousSecretUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when the secret before the current one signs as well.',
    }),
    createdBy: t.expose('createdBy', { type: ActorType, description: 'The user who added it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    version: t.exposeInt('version', { description: 'Counts the changes, from 1. A change can name the version it is meant for.' }),
  }),
})

const WebhookEventTypeType = builder.objectRef<DeclaredEvent>('WebhookEventType').implement({
  description: 'A type of event that endpoints can receive.',
  fields: t => ({
    type: t.exposeString('type', { description: 'Its name, such as `contact.created`.' }),
    entity: t.exposeString('entity', { description: 'Subject of such an event.' }),
    description: t.exposeString('description', { description: 'Meaning of the event.' }),
    scope: t.string({
      nullable: true,
      description: 'The scope that the endpoint of an API key needs; null for events that only endpoints of signed-in users receive.',
      resolve: ({ entity }) => nounNamed(entity)?.scope ?? null,
    }),
  }),
})

const WebhookEndpointConnection = connectionOf('WebhookEndpoint', 'webhook endpoints', WebhookEndpointType)

builder.queryFields(t => ({
  webhookEndpoint: t.field({
    type: WebhookEndpointType,
    nullable: true,
    description: 'A webhook endpoint; null with NOT_FOUND for one that does not exist.',
    authScopes: { scope: 'webhooks:manage' },
    args: byId,
    resolve: (_parent, { id }, context) => getEndpoint(context, id),
  }),
  webhookEndpoints: t.field({
    type: WebhookEndpointConnection,
    description: 'The webhook endpoints of the organization, newest first.',
    authScopes: { scope: 'webhooks:manage' },
    args: pageArgs,
    resolve: (_parent, args, context, info) => listEndpoints(context, { ...args, counted: isCounted(info) }),
  }),
  webhookEventTypes: t.field({
    type: [WebhookEventTypeType],
    description: 'All types of events that webhook endpoints can receive, by name.',
    authScopes: { scope: 'webhooks:manage' },
    resolve: toldEvents,
  }),
}))

noun('webhook_endpoint', WebhookEndpointType, { scope: 'webhooks:manage', load: loadEndpoints })
