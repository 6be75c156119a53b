// Voice agents in the schema.

import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder, byId, inputOfId } from '../../graphql/schema/builder.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { selected } from '../../graphql/schema/lists/selection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import type { Destination } from '../providers/telephony.ts'
import { searchAgents } from '../search/search.ts'
import type { ListedAgent, VoiceAgent } from './agent.sql.ts'
import {
  createAgent,
  getAgent,
  loadAgents,
  pauseAgent,
  provisionAgain,
  rotateSigningSecret,
  signingSecrets,
  updateAgent,
  warningsOf,
} from './agent.ts'
import { archiveAgent, resumeAgent } from './lifecycle.ts'
import { listAgents } from './list.ts'

export const ProviderEnum = builder.enumType('TelephoneProvider', {
  description: 'Telephony provider of an agent.',
  values: {
    SIMULATOR: { value: 'simulator', description: 'Nobody: calls are played through, and no phone rings.' },
    TWILIO: { value: 'twilio', description: 'Twilio.' },
    VAPI: { value: 'vapi', description: 'Vapi.' },
    HTTP: { value: 'http', description: "The agent's own server, at its dispatch URL." },
  } as const,
})

const DestinationType = builder.objectRef<Destination>('TransferDestination').implement({
  description: 'A number to which an agent may transfer calls.',
  fields: t => ({
    name: t.exposeString('name', { description: 'Name that the agent knows, such as Sales.' }),
    phone: t.exposeString('phone', { description: 'Number in E.164.' }),
  }),
})

const DestinationInput = builder.inputType('TransferDestinationInput', {
  description: 'A number to which an agent may transfer calls.',
  fields: t => ({
    name: t.string({ required: true, description: 'Name that the agent knows, at most 100 characters.' }),
    phone: t.string({ required: true, description: 'Number in E.164.' }),
  }),
})

const AgentStatusEnum = builder.enumType('VoiceAgentStatus', {
  description: 'How far an agent is. Only an active one places calls.',
  values: {
    DRAFT: { value: 'draft', description: 'Written down; its provider has not been told.' },
    PROVISIONING: { value: 'provisioning', description: 'Its provider is being told.' },
    ACTIVE: { value: 'active', description: 'Places calls.' },
    PAUSED: { value: 'paused', description: 'Places none until it is resumed; those that wait keep waiting.' },
    FAILED: { value: 'failed', description: 'Its provider would not have it; `statusReason` says why.' },
    ARCHIVED: { value: 'archived', description: 'Gone for good, but for its calls.' },
  } as const,
})

export const VoiceAgentType = builder.objectRef<ListedAgent>('VoiceAgent').implement({
  description: 'A voice agent: its texts, the number it calls from, and the provider that speaks for it.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'A UUIDv7.' }),
    orgId: t.id({ description: 'The organization it belongs to.', resolve: selected('orgId') }),
    name: t.string({ description: 'Name.', resolve: selected('name') }),
    hostAppId: t.id({ nullable: true, description: 'Its id in the app that made it.', resolve: selected('hostAppId') }),
    instructions: t.string({ nullable: true, description: 'Its instructions.', resolve: selected('instructions') }),
    firstMessage: t.string({ nullable: true, description: 'Its first message.', resolve: selected('firstMessage') }),
    extraction: t.field({
      type: 'JSONObject',
      description:
        'Values to take from a conversation: `{ name: { type, title, description, format, enum, field, order } }`. `field` is the contact field that the value is suggested for, null for none. Empty: plain values as they come.',
      resolve: selected('extraction'),
    }),
    phoneNumber: t.string({ nullable: true, description: 'The number it calls from, in E.164.', resolve: selected('phoneNumber') }),
    language: t.string({
      nullable: true,
      description:
        'The language it speaks and understands, in BCP 47, such as de-DE. The transcriber at Vapi and the speech of Twilio use it. Null: the default of the provider.',
      resolve: selected('language'),
    }),
    voice: t.string({
      nullable: true,
      description:
        'Its voice, as the provider names it: `azure:de-DE-KatjaNeural` at Vapi, `Polly.Vicki-Neural` at Twilio. Null: the default of the provider.',
      resolve: selected('voice'),
    }),
    model: t.string({
      nullable: true,
      description:
        'The model that speaks in conversations that this server holds: `provider/model` or an alias. Null: as the gateway is configured.',
      resolve: selected('model'),
    }),
    transferTo: t.field({ type: [DestinationType], description: 'Where it may transfer calls.', resolve: selected('transferTo') }),
    warnings: t.stringList({
      description: 'Sentences about placeholders and fields that nobody knows, such as a misspelt `{{frist_name}}`.',
      resolve: async (agent, _args, context) => warningsOf(context, hasTexts(agent) ? agent : await getAgent(context, agent.id)),
    }),
    provider: t.field({ type: ProviderEnum, description: 'Its telephony provider.', resolve: selected('provider') }),
    providerAssistantId: t.id({ nullable: true, description: "The provider's id of it.", resolve: selected('providerAssistantId') }),
    dispatchUrl: t.string({
      nullable: true,
      description: 'Where its calls are posted to (`http`), or where Twilio fetches what to say.',
      resolve: selected('dispatchUrl'),
    }),
    status: t.field({ type: AgentStatusEnum, description: 'How far it is.', resolve: selected('status') }),
    statusReason: t.string({
      nullable: true,
      description: 'Why it failed, or why its last change is not known yet.',
      resolve: selected('statusReason'),
    }),
    version: t.int({ description: 'Grows with every change; calls keep the one they were placed with.', resolve: selected('version') }),
    createdBy: t.field({ type: ActorType, description: 'The actor who added it.', resolve: selected('createdBy') }),
    createdAt: t.field({ type: 'DateTime', description: 'When it was added.', resolve: selected('createdAt') }),
    updatedAt: t.field({ type: 'DateTime', description: 'When it was last changed.', resolve: selected('updatedAt') }),
  }),
})

// A list reads the columns of the fields that its query names, so the texts may be missing.
const hasTexts = (agent: ListedAgent): agent is VoiceAgent =>
  [agent.instructions, agent.firstMessage, agent.extraction].every(text => text !== undefined && typeof text !== 'symbol')

const VoiceAgentConnection = connectionOf('VoiceAgent', 'voice agents', VoiceAgentType)

const VoiceAgentFilter = builder.inputType('VoiceAgentFilter', {
  description: 'Which agents a list has. All conditions must hold.',
  fields: t => ({
    status: t.field({ type: AgentStatusEnum, description: 'In this status.' }),
    statusIn: t.field({ type: [AgentStatusEnum], description: 'In any of these statuses, at most 20.' }),
    provider: t.field({ type: ProviderEnum, description: 'Of this provider.' }),
    providerIn: t.field({ type: [ProviderEnum], description: 'Of any of these providers, at most 20.' }),
  }),
})

const VoiceAgentSortEnum = builder.enumType('VoiceAgentSort', {
  description: 'Orders of a list of voice agents. Ties are broken by id.',
  values: {
    NAME: { value: 'name', description: 'By name, without regard to case.' },
    NAME_DESC: { value: 'name_desc', description: 'By name, descending.' },
    CREATED_AT: { value: 'created_at', description: 'Oldest first.' },
    CREATED_AT_DESC: { value: 'created_at_desc', description: 'Newest first.' },
    UPDATED_AT: { value: 'updated_at', description: 'Least recently changed first.' },
    UPDATED_AT_DESC: { value: 'updated_at_desc', description: 'Most recently changed first.' },
  } as const,
})

builder.queryFields(t => ({
  voiceAgent: t.field({
    type: VoiceAgentType,
    nullable: true,
    description: 'A voice agent; null with NOT_FOUND when there is none.',
    authScopes: { scope: 'agents:read' },
    args: byId,
    resolve: (_parent, { id }, context) => getAgent(context, id),
  }),
  voiceAgents: t.field({
    type: VoiceAgentConnection,
    description: "The organization's voice agents, newest first by default.",
    authScopes: { scope: 'agents:read' },
    args: {
      ...pageArgs,
      filter: t.arg({ type: VoiceAgentFilter, description: 'Which agents. Default: all.' }),
      sort: t.arg({ type: VoiceAgentSortEnum, defaultValue: 'created_at_desc', description: 'In which order.' }),
    },
    resolve: (_parent, args, context, info) => listAgents(context, { ...args, counted: isCounted(info) }),
  }),
}))

const CreateVoiceAgentInput = builder.inputType('CreateVoiceAgentInput', {
  description: 'An agent to add.',
  fields: t => ({
    name: t.string({ required: true, description: 'Name.' }),
    hostAppId: t.id({ description: 'Its id in the app that makes it.' }),
    instructions: t.string({
      description:
        'Its instructions. `{{first_name}}`, another contact field, `{{custom.renewal}}` or a variable of the call is filled when it dials; `{{first_name|there}}` has a fallback.',
    }),
    firstMessage: t.string({ description: 'Its first message, with placeholders like the instructions.' }),
    extraction: t.field({
      type: 'JSONObject',
      description:
        'Values to take from a conversation: `{ name: { type: string|number|integer|boolean, title, description, format: date, enum, field, order } }`. `field`: the contact field that the value is suggested for, such as job_title or custom.renewal; null for none; default: the field of the same name.',
    }),
    phoneNumber: t.string({ description: 'The number it calls from, in E.164. Twilio and Vapi need one.' }),
    language: t.string({ description: "Its language, in BCP 47, such as de-DE. Default: the language of the organization's country." }),
    voice: t.string({ description: 'Its voice, as the provider names it.' }),
    model: t.string({ description: 'The model that speaks: `provider/model` or an alias. Default: as the gateway is configured.' }),
    transferTo: t.field({ type: [DestinationInput], description: 'Where it may transfer calls, at most 20 numbers.' }),
    provider: t.field({
      type: ProviderEnum,
      description: 'Its telephony provider. Default: HTTP with a dispatch URL, else the setting VOICE_PROVIDER.',
    }),
    dispatchUrl: t.string({ description: 'Where its calls are posted to. HTTP needs one.' }),
    draft: t.boolean({ description: 'Leaves it a draft, unknown to its provider. Default: false.' }),
  }),
})

const UpdateVoiceAgentInput = builder.inputType('UpdateVoiceAgentInput', {
  description: 'The changes: an absent field stays as it is, null clears it.',
  fields: t => ({
    id: t.id({ required: true, description: 'Its id.' }),
    ifVersion: t.int({ description: 'Changes this version only; PRECONDITION_FAILED for another.' }),
    name: t.string({ description: 'Name.' }),
    hostAppId: t.id({ description: 'Its id in the app that made it.' }),
    instructions: t.string({ description: 'Its instructions.' }),
    firstMessage: t.string({ description: 'Its first message.' }),
    extraction: t.field({ type: 'JSONObject', description: 'Values to take from a conversation.' }),
    phoneNumber: t.string({ description: 'The number it calls from, in E.164.' }),
    language: t.string({ description: 'Its language, in BCP 47, such as de-DE.' }),
    voice: t.string({ description: 'Its voice, as the provider names it.' }),
    model: t.string({ description: 'The model that speaks: `provider/model` or an alias.' }),
    transferTo: t.field({ type: [DestinationInput], description: 'Where it may transfer calls, at most 20 numbers.' }),
    provider: t.field({ type: ProviderEnum, description: 'Its telephony provider.' }),
    dispatchUrl: t.string({ description: 'Where its calls are posted to.' }),
  }),
})

const SigningSecret = builder.objectRef<{ agent: VoiceAgent; secrets: string[] }>('SigningSecret').implement({
  description: "The secrets that sign an agent's own messages, by Standard Webhooks.",
  fields: t => ({
    voiceAgent: t.expose('agent', { type: VoiceAgentType, description: 'Its agent.' }),
    secrets: t.exposeStringList('secrets', {
      description: 'The one in use first; for a day after a rotation the one before as well.',
      extensions: { isSecret: true },
    }),
  }),
})

builder.mutationFields(t => ({
  createVoiceAgent: t.field({
    type: VoiceAgentType,
    description: 'Adds an agent and makes it known to its provider. ALREADY_EXISTS for a number that another agent of the provider has.',
    authScopes: { scope: 'agents:write' },
    effect: { undoneBy: 'archiveVoiceAgent', reachesOutside: true },
    args: { input: t.arg({ type: CreateVoiceAgentInput, required: true, description: 'The agent.' }) },
    resolve: (_parent, { input }, context) => createAgent(context, input),
  }),
  updateVoiceAgent: t.field({
    type: VoiceAgentType,
    description: 'Changes an agent: a new version, for calls placed from now on.',
    authScopes: { scope: 'agents:write' },
    effect: { overwrites: true, undoneBy: 'updateVoiceAgent with the former values, as a further version', reachesOutside: true },
    args: { input: t.arg({ type: UpdateVoiceAgentInput, required: true, description: 'The changes.' }) },
    resolve: (_parent, { input: { id, ifVersion, ...changes } }, context) => updateAgent(context, id, changes, ifVersion),
  }),
  provisionVoiceAgent: t.field({
    type: VoiceAgentType,
    description: 'Makes a draft known to its provider, or tries again what failed.',
    authScopes: { scope: 'agents:write' },
    effect: { undoneBy: 'archiveVoiceAgent', reachesOutside: true },
    args: inputOfId('ProvisionVoiceAgentInput', 'An agent that its provider is told of.'),
    resolve: (_parent, { input }, context) => provisionAgain(context, input.id),
  }),
  pauseVoiceAgent: t.field({
    type: VoiceAgentType,
    description: 'Lets an agent place no calls until it is resumed.',
    authScopes: { scope: 'agents:write' },
    effect: { overwrites: true, undoneBy: 'resumeVoiceAgent', isIdempotent: true },
    args: inputOfId('PauseVoiceAgentInput', 'An agent to pause.'),
    resolve: (_parent, { input }, context) => pauseAgent(context, input.id),
  }),
  resumeVoiceAgent: t.field({
    type: VoiceAgentType,
    description: 'Lets a paused agent place calls again, those that waited first.',
    authScopes: { scope: 'agents:write' },
    effect: {
      overwrites: true,
      undoneBy: 'pauseVoiceAgent, except for calls that are placed by then',
      isIdempotent: true,
      reachesOutside: true,
    },
    args: inputOfId('ResumeVoiceAgentInput', 'An agent to resume.'),
    resolve: (_parent, { input }, context) => resumeAgent(context, input.id),
  }),
  archiveVoiceAgent: t.field({
    type: VoiceAgentType,
    description: 'Ends an agent for good. Its calls that wait are canceled, its number is free again.',
    authScopes: { scope: 'agents:write' },
    effect: { overwrites: true, isIdempotent: true, reachesOutside: true },
    args: inputOfId('ArchiveVoiceAgentInput', 'An agent to end.'),
    resolve: (_parent, { input }, context) => archiveAgent(context, input.id),
  }),
  revealSigningSecret: t.field({
    type: SigningSecret,
    description: "Shows what the agent's own messages are signed with.",
    authScopes: { scope: 'agents:write' },
    effect: { isIdempotent: true },
    args: inputOfId('RevealSigningSecretInput', 'The agent that signs.'),
    resolve: (_parent, { input }, context) => signingSecrets(context, input.id),
  }),
  rotateSigningSecret: t.field({
    type: SigningSecret,
    description: 'Gives the agent a new signing secret. The one before counts for another day.',
    authScopes: { scope: 'agents:write' },
    effect: { overwrites: true },
    args: inputOfId('RotateSigningSecretInput', 'The agent that signs.'),
    resolve: (_parent, { input }, context) => rotateSigningSecret(context, input.id),
  }),
}))

noun('agent', VoiceAgentType, {
  scope: 'agents:read',
  load: loadAgents,
  search: { description: 'Voice agents, by name, instructions and first message', find: searchAgents },
})
