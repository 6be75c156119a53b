// GraphQL: the subscription to changes of all entities.

import { recordRefOutputs } from '../contacts/records/hanging/hanging.graphql.ts'
import { ActorType } from '../graphql/schema/actor.graphql.ts'
import { builder, isInternal } from '../graphql/schema/builder.ts'
import { eventChanges, lateEnum } from '../graphql/schema/event.graphql.ts'
import { typesOf } from '../graphql/schema/noun.graphql.ts'
import { signals } from '../kernel/events/follower.ts'
import { type EventType, hasEvents } from '../kernel/nouns/events.ts'
import { toldEvents } from '../kernel/nouns/nouns.ts'
import { type Change, entityIdOf, entityOf, followChanges, idOf } from './changes.ts'
import { findEntity } from './nodes.ts'
import { isShownBy } from './operations/operation.graphql.ts'

const ChangeTypeEnum = lateEnum<Change['type']>(
  'ChangeType',
  'The type of a change: the types of events, and two signals about the stream itself.',
  () => [...toldEvents(), ...signals],
)

const ChangedEntity = builder.unionType('ChangedEntity', {
  description: 'Subject of a change.',
  types: typesOf(({ name }) => hasEvents(name)),
})

const ChangeObject = builder.objectRef<Change>('Change').implement({
  description: 'Something that happened in the organization.',
  fields: t => ({
    id: t.id({ description: 'Give it as `after` to go on behind this change.', resolve: idOf }),
    type: t.expose('type', { type: ChangeTypeEnum, description: 'The type of the change.' }),
    entityId: t.id({
      nullable: true,
      description:
        'The id of its subject: for a delivery the run, for voice settings the organization, for a denied number the telephone number. Null for a signal.',
      resolve: entityIdOf,
    }),
    entity: t.field({
      type: ChangedEntity,
      nullable: true,
      description:
        'Its subject as it is now, which may be newer than the change; for a delivery, its run. Null for a signal, for API keys, denied numbers, tags and voice settings, and when it is gone.',
      // `as never`: the row's type follows from the event, and is its `__typename`.
      resolve: (change, _args, context) => entityOf(context, change) as never,
    }),
    ...recordRefOutputs(t, isShownBy),
    actor: t.field({
      type: ActorType,
      nullable: true,
      description: 'The actor; null for a signal.',
      resolve: change => change.event?.actor,
    }),
    changes: t.field({ ...eventChanges, resolve: ({ event }) => eventChanges.resolve(event) }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it happened.',
      resolve: ({ event, position }) => event?.createdAt ?? new Date(position.at * 1000).toISOString(),
    }),
  }),
})

builder.subscriptionField('changes', t =>
  t.field({
    type: ChangeObject,
    description:
      'Changes in the organization that the caller may read, in the order they were committed; per entity in the order they happened. One stream serves a whole application. It begins with FOLLOWING, or goes on behind `after`. Runs, system events, deliveries, API keys and organizations are for signed-in users. Not delivered: the sign-ins of users, which are private; that a heartbeat took or saw a system event, for which AGENT_RUN_STARTED and AGENT_RUN_COMPLETED of its run come.',
    authScopes: { someone: true },
    args: {
      after: t.arg.string({ description: 'The id of the last change received. Default: from now on.' }),
      types: t.arg({ type: [ChangeTypeEnum], description: 'Only these; signals always come. Default: all.' }),
    },
    subscribe: (_root, { after, types }, context) => followChanges(context, { after, types: types as EventType[] | null }),
    resolve: change => change,
  }),
)

builder.queryField('changedEntity', t =>
  t.field({
    type: ChangedEntity,
    nullable: true,
    description: 'The subject of an event as it is now; null when it is gone, or when the caller may not read it.',
    authScopes: { someone: true },
    extensions: isInternal,
    args: {
      entity: t.arg.string({ required: true, description: 'Its name in events.' }),
      id: t.arg.id({ required: true, description: 'Its id.' }),
    },
    resolve: (_root, { entity, id }, context) => findEntity(context, entity, id) as never,
  }),
)
