// The subscriptions that tell what happens in the gateway.

import { builder } from '../graphql/builder.ts'
import { SystemEventType } from './event.graphql.ts'
import { followEvents, followRuns, followSessions } from './live.ts'
import { AgentRunType } from './run.graphql.ts'
import { AgentSessionType } from './session.graphql.ts'

builder.subscriptionFields(t => ({
  agentRunChanged: t.field({
    type: AgentRunType,
    description: 'Every run that is accepted, begun or over from now on, and what became of its deliveries.',
    authScopes: { signedIn: true },
    args: { runId: t.arg.id({ description: 'Only this run.' }) },
    subscribe: (_root, args, context) => followRuns(context, args),
    resolve: run => run,
  }),
  agentSessionChanged: t.field({
    type: AgentSessionType,
    description: 'Every conversation in which a run is accepted, begun or over from now on.',
    authScopes: { signedIn: true },
    args: { key: t.arg.string({ description: 'Only the conversation of this key.' }) },
    subscribe: (_root, args, context) => followSessions(context, args),
    resolve: session => session,
  }),
  systemEventChanged: t.field({
    type: SystemEventType,
    description: 'Every system event that is queued, taken or seen from now on.',
    authScopes: { signedIn: true },
    subscribe: (_root, _args, context) => followEvents(context),
    resolve: event => event,
  }),
}))
