// The conversations of agents in the schema, with their turns.

import { channelNames, mainSessionKey } from '../../config/gateway/enums.ts'
import { builder } from '../../graphql/schema/builder.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { users } from '../../kernel/nouns/nouns.ts'
import type { Turn } from '../runs/history.ts'
import { type AgentSession, getSession, listSessions, listTurns, loadSessions } from './lists.ts'

export const ChannelEnum = builder.enumType('Channel', {
  description: 'A messaging channel.',
  values: Object.fromEntries(channelNames.map(name => [name.toUpperCase(), { value: name, description: `The channel ${name}.` }])) as {
    [Name in (typeof channelNames)[number] as Uppercase<Name>]: { value: Name; description: string }
  },
})

const TurnRoleEnum = builder.enumType('AgentTurnRole', {
  description: 'Role of the turn.',
  values: {
    USER: { value: 'user', description: 'A message to the agent.' },
    ASSISTANT: { value: 'assistant', description: 'A message of the agent.' },
    TOOL: { value: 'tool', description: 'A tool that the agent called.' },
  } as const,
})

const AgentTurnType = builder.objectRef<Turn>('AgentTurn').implement({
  description: 'One message of a conversation, as the model saw it, or one call of a tool.',
  fields: t => ({
    id: t.exposeID('id', { description: "The turn's id." }),
    seq: t.exposeInt('seq', { description: 'Its place in the conversation, from 1.' }),
    role: t.expose('role', { type: TurnRoleEnum, description: 'Role of the turn.' }),
    text: t.exposeString('text', { description: 'Its text; empty for a tool.' }),
    runId: t.exposeID('runId', { description: 'The run it belongs to.' }),
    toolName: t.exposeString('toolName', { nullable: true, description: 'The tool that was called.' }),
    toolInput: t.expose('toolInput', { type: 'JSON', nullable: true, description: 'Arguments of the tool.' }),
    toolOutput: t.expose('toolOutput', { type: 'JSON', nullable: true, description: 'Answer of the tool; null until it answers.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was written down.' }),
  }),
})
const AgentTurnConnection = connectionOf('AgentTurn', 'turns', AgentTurnType)

export const AgentSessionType = builder.objectRef<AgentSession>('AgentSession').implement({
  description: 'A conversation with an agent: the main one, or the one of a session key.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: "The session's id." }),
    key: t.exposeString('key', { description: 'Its key; `main` is the main session.' }),
    isMain: t.boolean({ description: 'Whether it is the main session.', resolve: ({ key }) => key === mainSessionKey }),
    lastChannel: t.expose('lastChannel', {
      type: ChannelEnum,
      nullable: true,
      description:
        'Of the main session: the channel of the last reply to a user or heartbeat, which `last` means. Replies to hooks do not change it.',
    }),
    lastRecipient: t.exposeString('lastRecipient', { nullable: true, description: 'The recipient of that delivery.' }),
    turnCount: t.exposeInt('turnCount', { description: 'Turns so far, forgotten ones included.' }),
    turns: t.field({
      type: AgentTurnConnection,
      description: 'Its turns, newest first.',
      args: pageArgs,
      resolve: (session, args, context, info) => listTurns(context, session.id, { ...args, counted: isCounted(info) }),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it began.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When something last happened in it.' }),
  }),
})
const AgentSessionConnection = connectionOf('AgentSession', 'agent sessions', AgentSessionType)

builder.queryFields(t => ({
  agentSessions: t.field({
    type: AgentSessionConnection,
    description: 'The conversations of the gateway, the newest first.',
    authScopes: { role: 'viewer' },
    args: pageArgs,
    resolve: (_root, args, context, info) => listSessions(context, { ...args, counted: isCounted(info) }),
  }),
  agentSession: t.field({
    type: AgentSessionType,
    nullable: true,
    description: 'One conversation by its key; null with NOT_FOUND when there is none.',
    authScopes: { role: 'viewer' },
    args: { key: t.arg.string({ required: true, defaultValue: mainSessionKey, description: 'Its key.' }) },
    resolve: (_root, args, context) => getSession(context, args),
  }),
}))

noun('agent_session', AgentSessionType, { mayRead: users, load: loadSessions })
