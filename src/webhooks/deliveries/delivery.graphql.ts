// GraphQL: the log of deliveries, and replaying from it.

import { builder, byId, inputOfId } from '../../graphql/schema/builder.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { mayReadEvent } from '../../kernel/nouns/nouns.ts'
import { type Attempt, type Delivery, type DeliveryState, deliveryStates } from './delivery.sql.ts'
import { getDelivery, listDeliveries } from './delivery.ts'
import { replayDelivery, replayRange } from './replay.ts'

const stateDescriptions: Readonly<Record<DeliveryState, string>> = {
  waiting: 'An earlier one of the same object is on its way to the endpoint.',
  pending: 'It is sent when it is due.',
  sending: 'It is being sent.',
  delivered: 'The endpoint has taken it.',
  failed: 'It was not taken at any attempt.',
  canceled: 'It is not sent: the endpoint was disabled or deleted, or may not read it.',
}
const WebhookDeliveryState = builder.enumType('WebhookDeliveryState', {
  description: 'How far a delivery is.',
  values: Object.fromEntries(
    deliveryStates.map(state => [state.toUpperCase(), { value: state, description: stateDescriptions[state] }]),
  ) as Record<string, { value: DeliveryState; description: string }>,
})

const WebhookAttemptType = builder.objectRef<Attempt>('WebhookAttempt').implement({
  description: 'One attempt to send a delivery. Answers are cut at 4 kB.',
  fields: t => ({
    at: t.expose('at', { type: 'DateTime', description: 'When it began.' }),
    durationMs: t.exposeInt('durationMs', { description: 'Milliseconds to the end of the answer.' }),
    url: t.exposeString('url', { description: 'Where it was posted to.' }),
    requestHeaders: t.expose('requestHeaders', { type: 'JSONObject', description: 'Headers of the request.' }),
    status: t.exposeInt('status', { nullable: true, description: 'The HTTP status of the answer; null without one.' }),
    responseHeaders: t.expose('responseHeaders', { type: 'JSONObject', nullable: true, description: 'Headers of the answer.' }),
    responseBody: t.exposeString('responseBody', { nullable: true, description: 'The beginning of the answer.' }),
    error: t.exposeString('error', { nullable: true, description: 'Why there was no answer.' }),
  }),
})

const WebhookDeliveryType = builder.objectRef<Delivery>('WebhookDelivery').implement({
  description: 'An event on its way to an endpoint, with its attempts. Kept for 30 days, up to a week longer.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    endpointId: t.exposeID('endpointId', { description: 'The endpoint.' }),
    messageId: t.exposeID('messageId', { description: 'The `webhook-id`: the same for all attempts and replays.' }),
    type: t.exposeString('type', { description: 'The type of the event.' }),
    entityId: t.exposeString('entityId', { description: 'The id of the object that the event is about.' }),
    state: t.expose('state', { type: WebhookDeliveryState, description: 'How far it is.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it failed or was canceled, or why it is sent again.' }),
    attemptCount: t.exposeInt('attempts', { description: 'How often it was sent.' }),
    attempts: t.expose('attemptLog', { type: [WebhookAttemptType], description: 'The last ten attempts, oldest first.' }),
    responseStatus: t.exposeInt('responseStatus', { nullable: true, description: 'The HTTP status of the last answer.' }),
    replayOf: t.exposeID('replayOf', { nullable: true, description: 'The delivery that it repeats.' }),
    dueAt: t.expose('dueAt', { type: 'DateTime', description: 'When it is or was due.' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true, description: 'When it was over.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was queued.' }),
    requestBody: t.string({
      nullable: true,
      description: 'The sent body; null before the first attempt, and for callers who may not read the subject of the event.',
      resolve: async ({ body, entity, entityId, event }, _args, context) =>
        body !== null && (await mayReadEvent(context, { entity, entityId, changes: event.changes })) ? body : null,
    }),
  }),
})

const WebhookDeliveryConnection = connectionOf('WebhookDelivery', 'webhook deliveries', WebhookDeliveryType)

const WebhookDeliveryFilter = builder.inputType('WebhookDeliveryFilter', {
  description: 'Which deliveries a list has; all conditions hold.',
  fields: t => ({
    endpointId: t.id({ description: 'Only those to this endpoint.' }),
    stateIn: t.field({ type: [WebhookDeliveryState], description: 'Only those that are this far.' }),
    typeIn: t.stringList({ description: 'Only events of these types.' }),
    messageId: t.id({ description: 'Only those with this `webhook-id`.' }),
    entityId: t.string({ description: 'Only events about this object.' }),
    createdSince: t.field({ type: 'DateTime', description: 'Only those queued then or later.' }),
    createdUntil: t.field({ type: 'DateTime', description: 'Only those queued before.' }),
  }),
})

builder.queryFields(t => ({
  webhookDelivery: t.field({
    type: WebhookDeliveryType,
    nullable: true,
    description: 'A delivery; null with NOT_FOUND for one that does not exist.',
    authScopes: { scope: 'webhooks:manage' },
    args: byId,
    resolve: (_parent, { id }, context) => getDelivery(context, id),
  }),
  webhookDeliveries: t.field({
    type: WebhookDeliveryConnection,
    description: 'Deliveries to the webhook endpoints of the organization, sent or pending, newest first.',
    authScopes: { scope: 'webhooks:manage' },
    args: { ...pageArgs, filter: t.arg({ type: WebhookDeliveryFilter, description: 'Which ones. Default: all.' }) },
    resolve: (_parent, args, context, info) => listDeliveries(context, { ...args, counted: isCounted(info) }),
  }),
}))

const ReplayWebhookDeliveriesInput = builder.inputType('ReplayWebhookDeliveriesInput', {
  description: 'The deliveries to send again.',
  fields: t => ({
    endpointId: t.id({ required: true, description: 'The endpoint.' }),
    since: t.field({ type: 'DateTime', required: true, description: 'Those queued then or later.' }),
    until: t.field({ type: 'DateTime', description: 'Those queued before. Default: until now.' }),
    stateIn: t.field({ type: [WebhookDeliveryState], description: 'Of DELIVERED, FAILED and CANCELED. Default: FAILED and CANCELED.' }),
    limit: t.int({ description: 'The first so many, at most 10,000. Default: 1,000.' }),
  }),
})

const WebhookReplayType = builder.objectRef<{ count: number }>('WebhookReplay').implement({
  description: 'The deliveries to send again.',
  fields: t => ({ count: t.exposeInt('count', { description: 'The number of deliveries.' }) }),
})

builder.mutationFields(t => ({
  replayWebhookDelivery: t.field({
    type: WebhookDeliveryType,
    description: 'Sends a delivery that is over again, with its `webhook-id`, and answers the new one.',
    authScopes: { scope: 'webhooks:manage' },
    effect: { reachesOutside: true },
    args: inputOfId('ReplayWebhookDeliveryInput', 'The delivery.'),
    resolve: (_parent, { input }, context) => replayDelivery(context, input.id),
  }),
  replayWebhookDeliveries: t.field({
    type: WebhookReplayType,
    description: 'Sends the deliveries of a time again, in their order, each message once.',
    authScopes: { scope: 'webhooks:manage' },
    effect: { reachesOutside: true },
    args: { input: t.arg({ type: ReplayWebhookDeliveriesInput, required: true, description: 'Which ones.' }) },
    resolve: async (_parent, { input }, context) => ({ count: await replayRange(context, input) }),
  }),
}))
