// The subscriptions to what happens in the gateway.

import type { ObjectRef } from '@pothos/core'
import { builder } from '../graphql/schema/builder.ts'
import { afterArgument, eventType, position } from '../graphql/schema/event.graphql.ts'
import type { Positioned } from '../kernel/events/follow.ts'
import { followEvents, followRuns, followSessions, type GatewayChange } from './changes.ts'
import { SystemEventType } from './heartbeat/event.graphql.ts'
import { AgentRunType } from './runs/run.graphql.ts'
import { AgentSessionType } from './sessions/session.graphql.ts'

// The type of a subscription's messages: `name` is the field that has the entity.
const changeType = <Row extends object>(
  typename: string,
  name: string,
  of: string,
  type: ObjectRef<typeof builder.$inferSchemaTypes, Row>,
) =>
  builder.objectRef<Positioned<GatewayChange<Row>>>(typename).implement({
    description: `Something that happened to ${of}.`,
    fields: t => ({
      id: t.exposeID('id', { description: 'An id of its own.' }),
      position: t.field(position),
      type: t.field(eventType),
      // `as never`: TypeScript cannot infer a resolver's return type for the generic `Row`.
      [name]: t.field({ type, description: 'Its present state.', resolve: change => change.row as never }),
      createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
    }),
  })
const RunChangeType = changeType('AgentRunChange', 'run', 'a run', AgentRunType)
const SessionChangeType = changeType('AgentSessionChange', 'session', 'a conversation', AgentSessionType)
const SystemEventChangeType = changeType('SystemEventChange', 'event', 'a system event', SystemEventType)

builder.subscriptionFields(t => ({
  agentRunChanged: t.field({
    type: RunChangeType,
    description: 'Every run that is accepted, begun or over from now on, and what became of its deliveries.',
    authScopes: { role: 'viewer' },
    args: { runId: t.arg.id({ description: 'Only this run.' }), after: t.arg.string(afterArgument) },
    subscribe: (_root, args, context) => followRuns(context, args),
    resolve: change => change,
  }),
  agentSessionChanged: t.field({
    type: SessionChangeType,
    description: 'Every conversation in which a run is accepted, begun or over from now on.',
    authScopes: { role: 'viewer' },
    args: { key: t.arg.string({ description: 'Only the conversation of this key.' }), after: t.arg.string(afterArgument) },
    subscribe: (_root, args, context) => followSessions(context, args),
    resolve: change => change,
  }),
  systemEventChanged: t.field({
    type: SystemEventChangeType,
    description: 'Every system event that is queued, taken or seen from now on.',
    authScopes: { role: 'viewer' },
    args: { after: t.arg.string(afterArgument) },
    subscribe: (_root, args, context) => followEvents(context, args),
    resolve: change => change,
  }),
}))
