// GraphQL: what webhooks have of other nouns: the object of a payload, the payload in the log, and the scope of a type of event.

import { builder, isInternal } from '../graphql/schema/builder.ts'
import { WebhookDeliveryType } from '../webhooks/deliveries/delivery.graphql.ts'
import { WebhookEventTypeType } from '../webhooks/endpoints/endpoint.graphql.ts'
import { ChangedEntity } from './changes.graphql.ts'
import { mayReadEvent } from './changes.ts'
import { subjectNamed } from './entities.ts'
import { findEntity } from './nodes.ts'

builder.queryField('changedEntity', t =>
  t.field({
    type: ChangedEntity,
    nullable: true,
    description: 'What an event is about, as it is now; null when it is gone, or nothing that the caller may read.',
    authScopes: { someone: true },
    extensions: isInternal,
    args: {
      entity: t.arg.string({ required: true, description: 'Its name in events.' }),
      id: t.arg.id({ required: true, description: 'Its id.' }),
    },
    resolve: (_root, { entity, id }, context) => findEntity(context, entity, id) as never,
  }),
)

builder.objectField(WebhookDeliveryType, 'requestBody', t =>
  t.string({
    nullable: true,
    description: 'What was sent; null before the first attempt, and for callers who may not read what the event is about.',
    resolve: async ({ body, entity, entityId, event }, _args, context) =>
      body !== null && (await mayReadEvent(context, { entity, entityId, changes: event.changes })) ? body : null,
  }),
)

builder.objectField(WebhookEventTypeType, 'scope', t =>
  t.string({
    nullable: true,
    description: 'The scope that the endpoint of an API key needs; null for events that only endpoints of signed-in users receive.',
    resolve: ({ entity }) => subjectNamed(entity)?.scope ?? null,
  }),
)
