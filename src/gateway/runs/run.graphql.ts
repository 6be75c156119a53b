// Runs of agents in the schema, with what became of their replies.

import { channelChoices, thinkingLevels } from '../../config/gateway/enums.ts'
import { builder, byId, inputOfId } from '../../graphql/schema/builder.ts'
import { ageSortArgs, connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { creditsOf } from '../../kernel/money.ts'
import { users } from '../../kernel/nouns/nouns.ts'
import { type Delivery, deliveriesOf, deliveryOf, deliveryStates, type RunDelivery, runDeliveryStatuses } from '../delivery/delivery.ts'
import { SystemEventType, WakeModeEnum } from '../heartbeat/event.graphql.ts'
import { eventsOfHeartbeat, listDeliveries, listRuns, sessionOf } from '../sessions/lists.ts'
import { AgentSessionType, ChannelEnum } from '../sessions/session.graphql.ts'
import { cancelRun } from './cancel.ts'
import { type Run, runStatuses } from './row.ts'
import { type Accepted, getRun, loadRuns, retryRun, runAgent } from './run.ts'

type Values<Name extends string> = { [One in Name as Uppercase<One>]: { value: One; description: string } }
const valuesOf = <Name extends string>(names: readonly Name[], describe: (name: Name) => string) =>
  Object.fromEntries(names.map(name => [name.toUpperCase(), { value: name, description: describe(name) }])) as Values<Name>

const RunStatusEnum = builder.enumType('AgentRunStatus', {
  description: 'How far a run has come.',
  values: valuesOf(
    runStatuses,
    status =>
      ({
        accepted: 'Waits for its turn.',
        running: 'An agent is at work on it.',
        completed: 'The agent has replied.',
        failed: 'There is no reply; `error` says why.',
      })[status],
  ),
})
const RunKindEnum = builder.enumType('AgentRunKind', {
  description: 'Kind of a run.',
  values: {
    HOOK: { value: 'hook', description: 'A request of a hook or a user.' },
    HEARTBEAT: { value: 'heartbeat', description: 'A heartbeat: a look at the system events of the main session.' },
  } as const,
})
export const ThinkingLevelEnum = builder.enumType('ThinkingLevel', {
  description: 'How much a model thinks before it answers.',
  values: valuesOf(thinkingLevels, level => (level === 'off' ? 'Not at all.' : `The level ${level}.`)),
})
export const ChannelChoiceEnum = builder.enumType('ChannelChoice', {
  description: 'Where a reply is to be delivered.',
  values: valuesOf(channelChoices, channel => (channel === 'last' ? "The main session's last channel." : `The channel ${channel}.`)),
})
const DeliveryStateEnum = builder.enumType('AgentDeliveryState', {
  description: 'State of a message to a channel.',
  values: valuesOf(
    deliveryStates,
    state =>
      ({
        pending: 'It will be sent.',
        sending: 'It is being sent.',
        sent: 'The channel has it.',
        undeliverable: 'The channel will never have it; `reason` says why.',
        unknown: 'The channel may have it: its answer never came. It is not sent again.',
      })[state],
  ),
})
const RunDeliveryStatusEnum = builder.enumType('AgentRunDeliveryStatus', {
  description: 'State of the delivery of a whole reply.',
  values: valuesOf(
    runDeliveryStatuses,
    status =>
      ({
        not_requested: 'The run was not to deliver its reply.',
        skipped: 'There was nothing to deliver: the run failed, or its reply was an acknowledgment.',
        pending: 'It is still to come.',
        sent: 'The channel has all of it.',
        undeliverable: 'The channel will never have all of it.',
        unknown: 'The channel may have all of it.',
      })[status],
  ),
})

const AgentDeliveryType = builder.objectRef<Delivery>('AgentDelivery').implement({
  description: 'One message to one recipient: a reply, or a part of a long one.',
  fields: t => ({
    id: t.exposeID('id', { description: "The delivery's id." }),
    runId: t.exposeID('runId', { description: 'The run whose reply it is.' }),
    channel: t.expose('channel', { type: ChannelEnum, description: 'The channel.' }),
    to: t.exposeString('recipient', { nullable: true, description: 'The recipient, in the words of the channel.' }),
    part: t.exposeInt('part', { description: 'Which part of the reply it is, from 1.' }),
    parts: t.exposeInt('parts', { description: 'Parts of the reply.' }),
    text: t.exposeString('text', { description: 'Text of the message.' }),
    state: t.expose('state', { type: DeliveryStateEnum, description: 'Its state.' }),
    attempts: t.exposeInt('attempts', { description: 'Times it was sent.' }),
    messageId: t.exposeID('messageId', { nullable: true, description: "The channel's own id of the message." }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it was not sent, or not yet.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the reply was there.' }),
    sentAt: t.expose('sentAt', { type: 'DateTime', nullable: true, description: 'When the channel acknowledged it.' }),
  }),
})

const RunDeliveryType = builder.objectRef<RunDelivery>('AgentRunDelivery').implement({
  description: 'The delivery of a whole reply.',
  fields: t => ({
    status: t.expose('status', { type: RunDeliveryStatusEnum, description: 'Its state.' }),
    channel: t.expose('channel', { type: ChannelEnum, nullable: true, description: 'The channel, once it is known.' }),
    to: t.exposeString('to', { nullable: true, description: 'The recipient, once it is known.' }),
    messageIds: t.exposeIDList('messageIds', { description: "The channel's own ids of the messages it has." }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it is not delivered.' }),
  }),
})

const UsageType = builder.objectRef<Run>('AgentRunUsage').implement({
  description: 'Usage of a run.',
  fields: t => ({
    inputTokens: t.exposeInt('inputTokens', { description: 'Tokens that the model read, over all steps.' }),
    outputTokens: t.exposeInt('outputTokens', { description: 'Tokens that the model wrote.' }),
    totalTokens: t.int({ description: 'Both together.', resolve: run => run.inputTokens + run.outputTokens }),
    steps: t.exposeInt('steps', { description: 'Times the model was asked.' }),
    creditsReserved: t.float({ description: 'Credits that its tools reserved.', resolve: run => creditsOf(run.creditsReserved) }),
    creditsCharged: t.float({ description: 'Credits that its owner was charged for it.', resolve: run => creditsOf(run.creditsCharged) }),
    creditCeiling: t.float({
      description: 'Credits that it may cost, together with what its tools reserve.',
      resolve: run => creditsOf(run.creditCeiling),
    }),
  }),
})

export const AgentRunType = builder.objectRef<Run>('AgentRun').implement({
  description: 'A turn of an agent, from what it was given to its reply.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: "The run's id." }),
    kind: t.expose('kind', { type: RunKindEnum, description: 'Its kind.' }),
    sessionKey: t.string({ description: 'The key of its conversation.', resolve: run => run.session.key }),
    session: t.field({
      type: AgentSessionType,
      nullable: true,
      description: 'Its conversation.',
      resolve: (run, _args, context) => sessionOf(context, run.sessionId),
    }),
    agentId: t.exposeID('agentId', { description: 'The agent, as the configuration names it.' }),
    name: t.exposeString('name', { nullable: true, description: 'Its name, as its sender gave it.' }),
    message: t.exposeString('message', { description: 'The message to the agent.' }),
    wakeMode: t.expose('wakeMode', { type: WakeModeEnum, description: 'When the main session hears its summary.' }),
    deliver: t.exposeBoolean('deliver', { description: 'Whether its reply is to be delivered.' }),
    channel: t.expose('channel', { type: ChannelChoiceEnum, description: 'Where to.' }),
    to: t.exposeString('recipient', { nullable: true, description: 'To whom.' }),
    model: t.exposeString('model', { description: 'The model, as `provider/model`.' }),
    thinking: t.expose('thinking', { type: ThinkingLevelEnum, nullable: true, description: 'How much it was to think.' }),
    timeoutSeconds: t.exposeFloat('timeoutSeconds', { description: 'Seconds it may take.' }),
    status: t.expose('status', { type: RunStatusEnum, description: 'How far it has come.' }),
    attempt: t.exposeInt('attempt', { description: 'Times it was begun; more than once after a crash.' }),
    reply: t.exposeString('reply', { nullable: true, description: 'Reply of the agent.' }),
    summary: t.exposeString('summary', { nullable: true, description: 'Summary for the main session.' }),
    error: t.exposeString('error', { nullable: true, description: 'Why there is no reply.' }),
    usage: t.field({ type: UsageType, description: 'Its usage.', resolve: run => run }),
    delivery: t.field({
      type: RunDeliveryType,
      description: 'State of the delivery of its reply.',
      resolve: (run, _args, context) => deliveryOf(context, run),
    }),
    deliveries: t.field({
      type: [AgentDeliveryType],
      description: 'The messages that its reply was sent in.',
      resolve: (run, _args, context) => deliveriesOf(context, run.id),
    }),
    events: t.field({
      type: [SystemEventType],
      description: 'The events that a heartbeat took, in order; empty for others.',
      resolve: (run, _args, context) => (run.kind === 'heartbeat' ? eventsOfHeartbeat(context, run.id) : []),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was accepted.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true, description: 'When it was begun.' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true, description: 'When it was over.' }),
  }),
})
const AgentRunConnection = connectionOf('AgentRun', 'runs', AgentRunType)

const AgentDeliveryConnection = connectionOf('AgentDelivery', 'messages to channels', AgentDeliveryType)

const AgentDeliveryFilter = builder.inputType('AgentDeliveryFilter', {
  description: 'Which messages a list holds.',
  fields: t => ({
    state: t.field({ type: DeliveryStateEnum, description: 'State of the delivery.' }),
    channel: t.field({ type: ChannelEnum, description: 'To this channel.' }),
    runId: t.id({ description: 'Of this run.' }),
  }),
})

const AgentRunFilter = builder.inputType('AgentRunFilter', {
  description: 'Which runs a list holds.',
  fields: t => ({
    status: t.field({ type: RunStatusEnum, description: 'That have come this far.' }),
    kind: t.field({ type: RunKindEnum, description: 'Of this kind.' }),
    sessionKey: t.string({ description: 'Of this conversation.' }),
  }),
})

builder.queryFields(t => ({
  agentRuns: t.field({
    type: AgentRunConnection,
    description: 'The runs of the gateway, the newest first.',
    authScopes: { role: 'viewer' },
    args: { ...pageArgs, ...ageSortArgs, filter: t.arg({ type: AgentRunFilter, description: 'Which of them.' }) },
    resolve: (_root, args, context, info) => listRuns(context, { ...args, counted: isCounted(info) }),
  }),
  agentDeliveries: t.field({
    type: AgentDeliveryConnection,
    description: 'The messages of the gateway to channels, the newest first.',
    authScopes: { role: 'viewer' },
    args: { ...pageArgs, ...ageSortArgs, filter: t.arg({ type: AgentDeliveryFilter, description: 'Which of them.' }) },
    resolve: (_root, args, context) => listDeliveries(context, args),
  }),
  agentRun: t.field({
    type: AgentRunType,
    nullable: true,
    description: 'One run; null with NOT_FOUND when there is none.',
    authScopes: { role: 'viewer', hook: true },
    args: byId,
    resolve: (_root, { id }, context) => getRun(context, id),
  }),
}))

const AcceptedRunType = builder.objectRef<Accepted>('AcceptedRun').implement({
  description: 'A run that was accepted.',
  fields: t => ({
    runId: t.exposeID('runId', { description: 'Its id.' }),
    sessionKey: t.exposeString('sessionKey', { description: 'The key of its conversation.' }),
    status: t.expose('status', { type: RunStatusEnum, description: 'ACCEPTED.' }),
    run: t.field({
      type: AgentRunType,
      nullable: true,
      description: 'The run. Null for hooks.',
      resolve: ({ runId }, _args, context) => (context.principal.kind === 'hook' ? null : getRun(context, runId)),
    }),
  }),
})

const StartAgentRunInput = builder.inputType('StartAgentRunInput', {
  description: 'A request to an agent.',
  fields: t => ({
    message: t.string({ required: true, description: 'The message to the agent.' }),
    name: t.string({ description: 'Name of the run in summaries.' }),
    agentId: t.id({ description: 'The agent. Default: the one the configuration says.' }),
    sessionKey: t.string({ description: 'The conversation to continue. Default: a new one, `hook:<uuid>`.' }),
    wakeMode: t.field({ type: WakeModeEnum, description: 'When the main session hears the summary. Default NOW.' }),
    deliver: t.boolean({ description: 'Whether the reply is delivered. Default true.' }),
    channel: t.field({ type: ChannelChoiceEnum, description: 'Where to. Default LAST.' }),
    to: t.string({ description: "To whom. Default: the main session's last recipient." }),
    model: t.string({ description: 'A model as `provider/model`, or an alias. Default: the one the configuration says.' }),
    thinking: t.field({ type: ThinkingLevelEnum, description: 'How much to think.' }),
    timeoutSeconds: t.float({ description: 'Seconds the run may take, 1 to 86400. Default: what the configuration says.' }),
  }),
})

builder.mutationFields(t => ({
  startAgentRun: t.field({
    type: AcceptedRunType,
    description:
      'Has an agent take a turn, and answers before it has. The run fails where the member who asked for it leaves, or becomes a viewer, before its end.',
    authScopes: { role: 'member', hook: true },
    effect: {
      reachesOutside: true,
      cost: { setting: null, per: 'run: its ceiling is reserved, and charged are the tokens that it takes' },
    },
    args: { input: t.arg({ type: StartAgentRunInput, required: true, description: 'The request.' }) },
    resolve: (_root, { input }, context) => runAgent(context, input),
  }),
  cancelAgentRun: t.field({
    type: AgentRunType,
    description:
      'Ends a run that waits or is at work: it is FAILED, its `error` names who canceled it, and nothing is delivered. The effects of its tools stay, and its tokens are charged. CONFLICT when it is over.',
    authScopes: { role: 'member' },
    effect: { overwrites: true },
    args: inputOfId('CancelAgentRunInput', 'A run to end.'),
    resolve: (_root, { input }, context) => cancelRun(context, input.id),
  }),
  retryAgentRun: t.field({
    type: AgentRunType,
    description:
      'Queues a failed run again. It goes on where it stopped; what its tools did is not done twice. CONFLICT when it has not failed.',
    authScopes: { role: 'member' },
    effect: {
      undoneBy: 'cancelAgentRun while it is not over',
      reachesOutside: true,
      cost: { setting: null, per: 'run: its ceiling is reserved, and charged are the tokens that it takes' },
    },
    args: inputOfId('RetryAgentRunInput', 'A run to queue again.'),
    resolve: (_root, { input }, context) => retryRun(context, input.id),
  }),
}))

noun('agent_run', AgentRunType, { mayRead: users, load: loadRuns })
// The stream has no type for it: its events are changes of its run.
noun('delivery', null, { mayRead: users, standsFor: ({ changes }) => ({ noun: 'agent_run', id: String(changes.runId) }) })
