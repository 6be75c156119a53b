// GraphQL: system events, which inform the main session, and the mutation that adds one.

import { builder } from '../../graphql/schema/builder.ts'
import { ageSortArgs, connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { together } from '../../kernel/batching/together.ts'
import { users } from '../../kernel/nouns/nouns.ts'
import { eventStates, listEvents, loadEvents, type SystemEvent, stateOf } from '../sessions/lists.ts'
import { type Woken, wake } from './event.ts'

export const WakeModeEnum = builder.enumType('WakeMode', {
  description: 'When the main session hears of something.',
  values: {
    NOW: { value: 'now', description: 'At once: a heartbeat begins within a quarter of a second.' },
    NEXT_HEARTBEAT: { value: 'next_heartbeat', description: 'At the next heartbeat, whenever that is.' },
  } as const,
})

const EventSourceEnum = builder.enumType('SystemEventSource', {
  description: 'Source of a system event.',
  values: {
    HOOK: { value: 'hook', description: 'A hook: its text came from outside.' },
    RUN: { value: 'run', description: 'A run of an agent: its summary.' },
    USER: { value: 'user', description: 'A signed-in user.' },
  } as const,
})

const EventStateEnum = builder.enumType('SystemEventState', {
  description: 'How far a system event has come.',
  values: {
    QUEUED: { value: eventStates[0], description: 'Waits for a heartbeat.' },
    TAKEN: { value: eventStates[1], description: 'A heartbeat is at work on it; should that fail, it is queued again.' },
    SEEN: { value: eventStates[2], description: 'A heartbeat has seen it.' },
  } as const,
})

const WakeOutcomeEnum = builder.enumType('WakeOutcome', {
  description: 'Result of a wake.',
  values: {
    QUEUED: { value: 'queued', description: 'The event is queued.' },
    COALESCED: { value: 'coalesced', description: 'The event is queued for a heartbeat that others asked for already.' },
  } as const,
})

export const SystemEventType = builder.objectRef<SystemEvent>('SystemEvent').implement({
  description: 'Something the main session should know, queued until a heartbeat has seen it.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: "The event's id." }),
    source: t.expose('source', { type: EventSourceEnum, description: 'Its source.' }),
    name: t.exposeString('name', { description: 'The name of the hook, run or user.' }),
    text: t.exposeString('text', { description: 'Text of the event.' }),
    mode: t.expose('mode', { type: WakeModeEnum, description: 'When the main session was to hear of it.' }),
    state: t.field({ type: EventStateEnum, description: 'How far it has come.', resolve: stateOf }),
    runId: t.exposeID('runId', { nullable: true, description: 'The run whose summary it is.' }),
    heartbeatId: t.exposeID('heartbeatId', { nullable: true, description: 'The heartbeat run that took it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was queued.' }),
    seenAt: t.expose('seenAt', { type: 'DateTime', nullable: true, description: 'When the heartbeat that took it was done.' }),
  }),
})

const SystemEventConnection = connectionOf('SystemEvent', 'system events', SystemEventType)

builder.queryField('systemEvents', t =>
  t.field({
    type: SystemEventConnection,
    description: 'System events of the main session, newest first.',
    authScopes: { role: 'viewer' },
    args: { ...pageArgs, ...ageSortArgs, state: t.arg({ type: EventStateEnum, description: 'Only events in this state.' }) },
    resolve: (_root, args, context, info) => listEvents(context, { ...args, counted: isCounted(info) }),
  }),
)

const WokenType = builder.objectRef<Woken>('Woken').implement({
  description: 'A wake that was accepted.',
  fields: t => ({
    eventId: t.exposeID('eventId', { description: 'The id of the system event.' }),
    mode: t.expose('mode', { type: WakeModeEnum, description: 'When the main session hears of it.' }),
    outcome: t.expose('outcome', { type: WakeOutcomeEnum, description: 'Whether a heartbeat was asked for already.' }),
  }),
})

const WakeInput = builder.inputType('WakeInput', {
  description: 'An event for the main session.',
  fields: t => ({
    text: t.string({ required: true, description: 'Text of the event.' }),
    mode: t.field({ type: WakeModeEnum, description: 'When it should hear of it. Default NOW.' }),
  }),
})

builder.mutationField('wake', t =>
  t.field({
    type: WokenType,
    description: 'Queues a system event for the main session.',
    authScopes: { role: 'member', hook: true },
    effect: {
      reachesOutside: true,
      cost: { setting: null, per: 'heartbeat that it causes: its ceiling is reserved, and charged are the tokens that it takes' },
    },
    args: { input: t.arg({ type: WakeInput, required: true, description: 'The event, and when to tell it.' }) },
    resolve: (_root, { input }, context) => together(context, wake, input),
  }),
)

noun('system_event', SystemEventType, { mayRead: users, load: loadEvents })
