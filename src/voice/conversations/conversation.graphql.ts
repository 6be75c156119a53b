// GraphQL: conversations in writing with voice agents.

import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder, byId, inputOfId } from '../../graphql/schema/builder.ts'
import { enumOf } from '../../graphql/schema/fields.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { load } from '../../kernel/dataloaders.ts'
import { enumeration } from '../../kernel/fields/enumeration.ts'
import { creditsOf } from '../../kernel/money.ts'
import type { Actor } from '../../kernel/principal.ts'
import { VoiceAgentType } from '../agents/agent.graphql.ts'
import { CallOutcomeEnum } from '../calls/call.graphql.ts'
import { agentOf } from '../calls/call.ts'
import { endConversation, getConversation, loadConversations, sayInConversation, startConversation } from './conversation.ts'
import { loadTurns } from './history.ts'
import { maxSaid } from './limits.ts'
import type { Conversation, ConversationTurn } from './row.ts'

const StatusEnum = enumOf(
  enumeration('ConversationStatus', 'Whether a conversation goes on.', {
    active: 'It goes on.',
    ended: 'It is over, and has its result.',
  }),
)

const RoleEnum = enumOf(
  enumeration('ConversationRole', 'Speaker of a turn.', {
    agent: 'The voice agent.',
    user: 'The other side.',
    tool: 'A tool that the agent called.',
  }),
)

const TurnType = builder.objectRef<ConversationTurn>('ConversationTurn').implement({
  description: 'One turn: words of one side, or the answer of a tool.',
  fields: t => ({
    seq: t.exposeInt('seq', { description: 'Its place, from 1.' }),
    role: t.expose('role', { type: RoleEnum, description: 'Its speaker.' }),
    text: t.exposeString('text', {
      description: 'The words; of an agent that was interrupted, the words that were heard. Empty for a tool.',
    }),
    wasInterrupted: t.exposeBoolean('wasInterrupted', { description: 'Whether the agent was interrupted.' }),
    toolName: t.exposeString('toolName', { nullable: true, description: 'The tool that was called.' }),
    toolInput: t.field({ type: 'JSON', nullable: true, description: 'Input of the tool.', resolve: turn => turn.toolInput }),
    toolOutput: t.field({ type: 'JSON', nullable: true, description: 'Answer of the tool.', resolve: turn => turn.toolOutput }),
    latencyMs: t.exposeInt('latencyMs', {
      nullable: true,
      description: "Milliseconds until the agent's first word, or of the tool. Null for the other side.",
    }),
    inputTokens: t.exposeInt('inputTokens', { description: 'Tokens that the model read.' }),
    outputTokens: t.exposeInt('outputTokens', { description: 'Tokens that the model wrote.' }),
    model: t.exposeString('model', { nullable: true, description: 'The model that spoke; null for the embedded interviewer.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was stored.' }),
  }),
})

const ConversationType = builder.objectRef<Conversation>('Conversation').implement({
  description:
    'A conversation in writing with a voice agent, to try it: no phone rings, and neither contacts nor statistics know of it. ' +
    'Only the tokens of a model cost credits.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'A UUIDv7.' }),
    voiceAgentId: t.exposeID('agentId', { description: 'The id of the agent.' }),
    voiceAgent: t.field({
      type: VoiceAgentType,
      nullable: true,
      description: 'The agent, as it is now.',
      resolve: (row, _args, context) => agentOf(context, row),
    }),
    voiceAgentVersion: t.exposeInt('agentVersion', { description: 'The version of the agent that speaks.' }),
    status: t.expose('status', { type: StatusEnum, description: 'Whether it goes on.' }),
    isAnswering: t.boolean({
      description: 'Whether the agent is making its answer.',
      resolve: ({ claimedUntil }, _args, context) => claimedUntil !== null && claimedUntil > context.now(),
    }),
    turns: t.field({
      type: [TurnType],
      description: 'The turns, in their order.',
      args: { after: t.arg.int({ defaultValue: 0, description: 'Only turns behind this place. Default: all.' }) },
      resolve: async ({ id }, { after }, context) => (await load(context, loadTurns, id))?.filter(({ seq }) => seq > (after ?? 0)) ?? [],
    }),
    outcome: t.expose('outcome', { type: CallOutcomeEnum, nullable: true, description: 'How it went; null until it is over.' }),
    endedReason: t.exposeString('endedReason', { nullable: true, description: 'Why it ended, in snake_case.' }),
    summary: t.exposeString('summary', { nullable: true, description: 'Summary of at most three sentences.' }),
    extracted: t.field({
      type: 'JSONObject',
      description: 'The values that the agent found out, by the names of its fields.',
      resolve: row => row.extracted,
    }),
    inputTokens: t.exposeInt('inputTokens', { description: 'Tokens that models have read.' }),
    outputTokens: t.exposeInt('outputTokens', { description: 'Tokens that models have written.' }),
    creditsCharged: t.float({ description: 'The credits for the tokens.', resolve: ({ creditsCharged }) => creditsOf(creditsCharged) }),
    createdBy: t.field({
      type: ActorType,
      description: 'The actor who began it.',
      // `as`: `startConversation` has stored an actor.
      resolve: row => ({ type: row.createdByType as Actor['type'], id: row.createdById, name: row.createdByName }),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it began.' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true, description: 'When it ended.' }),
  }),
})

builder.queryField('conversation', t =>
  t.field({
    type: ConversationType,
    nullable: true,
    description: 'A conversation; null with NOT_FOUND when there is none.',
    authScopes: { scope: 'calls:read' },
    args: byId,
    resolve: (_parent, { id }, context) => getConversation(context, id),
  }),
)

const StartConversationInput = builder.inputType('StartConversationInput', {
  description: 'A conversation to begin.',
  fields: t => ({
    voiceAgentId: t.id({ required: true, description: 'The agent: any that is not archived, also a draft.' }),
    contactId: t.id({ description: "The contact whose values fill the placeholders of the agent's texts. Default: a sample person." }),
    variables: t.field({ type: 'JSONObject', description: 'Values of placeholders. They replace the values of the contact.' }),
  }),
})

const SayInConversationInput = builder.inputType('SayInConversationInput', {
  description: 'Words for the agent.',
  fields: t => ({
    conversationId: t.id({ required: true, description: 'The conversation.' }),
    text: t.string({ required: true, description: `The words, at most ${maxSaid} characters.` }),
  }),
})

builder.mutationFields(t => ({
  startConversation: t.field({
    type: ConversationType,
    description:
      'Begins a conversation in writing with a voice agent, which greets. With a model configured it speaks; without one an interviewer asks for the fields of the agent.',
    authScopes: { scope: 'calls:write' },
    effect: { undoneBy: 'endConversation', reachesOutside: true },
    args: { input: t.arg({ type: StartConversationInput, required: true, description: 'The conversation.' }) },
    resolve: (_parent, { input }, context) => startConversation(context, input),
  }),
  sayInConversation: t.field({
    type: ConversationType,
    description:
      'Says something to the agent, and resolves when it has answered. CONFLICT when the conversation is over, or while the agent still answers.',
    authScopes: { scope: 'calls:write' },
    effect: { reachesOutside: true },
    args: { input: t.arg({ type: SayInConversationInput, required: true, description: 'The words.' }) },
    resolve: (_parent, { input: { conversationId, text } }, context) => sayInConversation(context, { id: conversationId, text }),
  }),
  endConversation: t.field({
    type: ConversationType,
    description: 'Ends a conversation, and reads its result from the history.',
    authScopes: { scope: 'calls:write' },
    effect: { isIdempotent: true, reachesOutside: true },
    args: inputOfId('EndConversationInput', 'A conversation to end.'),
    resolve: (_parent, { input }, context) => endConversation(context, input.id),
  }),
}))

noun('conversation', ConversationType, { scope: 'calls:read', load: loadConversations })
