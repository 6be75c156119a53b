// GraphQL: the receipt of a write.

import { recordRefOutputs } from '../../contacts/records/hanging/hanging.graphql.ts'
import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder, byId, isInternal } from '../../graphql/schema/builder.ts'
import { DoorEnum, eventChanges, eventType } from '../../graphql/schema/event.graphql.ts'
import { connectionOf, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import type { OperationEvent } from './operation.sql.ts'
import { eventsOf, getOperation, type Operation } from './operation.ts'

/** The relation of a record to an event, for `recordRefOutputs`. */
export const isShownBy = 'shows it in its timeline'

const OperationEventType = builder.objectRef<OperationEvent>('OperationEvent').implement({
  description: 'An event that a write recorded.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id, as in timelines.' }),
    type: t.field(eventType),
    typeName: t.exposeString('type', {
      description: 'The type of the event, as in timelines: `contact.updated`, ...',
      extensions: isInternal,
    }),
    entityId: t.exposeID('entityId', { description: 'The id of its subject.' }),
    ...recordRefOutputs(t, isShownBy),
    changes: t.field(eventChanges),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
  }),
})

const OperationEventConnection = connectionOf('OperationEvent', "a write's events", OperationEventType)

const OperationType = builder.objectRef<Operation>('Operation').implement({
  description: 'The receipt of a write. Shows the events that the caller may read.',
  fields: t => ({
    id: t.exposeID('id', { description: 'The `X-Operation-Id` of its answer.' }),
    name: t.exposeString('name', { description: 'The name of the operation.' }),
    door: t.expose('door', { type: DoorEnum, description: 'The way it came in.' }),
    actor: t.expose('actor', { type: ActorType, description: 'The actor of the write.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it recorded its first event.' }),
    idempotencyKey: t.exposeString('idempotencyKey', {
      nullable: true,
      description: 'The Idempotency-Key that came with it. Null without one, 24 hours later, and where the answer had a secret.',
    }),
    replays: t.exposeInt('replays', { description: 'How often its stored answer was returned to later requests with the key.' }),
    creditsTaken: t.exposeFloat('creditsTaken', {
      nullable: true,
      description: 'Credits that it took. Needs `credits:read`, otherwise null.',
    }),
    creditsReserved: t.exposeFloat('creditsReserved', {
      nullable: true,
      description: 'Credits that it reserved for work that goes on. Needs `credits:read`, otherwise null.',
    }),
    eventCount: t.exposeInt('eventCount', { description: 'How many events it recorded.' }),
    events: t.field({
      type: OperationEventConnection,
      description: 'The events in the order in which they were recorded.',
      args: pageArgs,
      resolve: (operation, args, context) => eventsOf(context, operation, args),
    }),
  }),
})

builder.queryField('operation', t =>
  t.field({
    type: OperationType,
    nullable: true,
    description:
      'The write whose answer had this `X-Operation-Id`, of the organization; NOT_FOUND for one that changed nothing or nothing that the caller may read.',
    authScopes: { someone: true },
    args: byId,
    resolve: (_root, { id }, context) => getOperation(context, id),
  }),
)
