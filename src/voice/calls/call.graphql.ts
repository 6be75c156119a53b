// GraphQL: calls. Their lists are in list.graphql.ts.

import { ContactType } from '../../contacts/contact/contact.graphql.ts'
import { DealType } from '../../contacts/deals/deal.graphql.ts'
import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder } from '../../graphql/schema/builder.ts'
import { selected } from '../../graphql/schema/lists/selection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { load } from '../../kernel/dataloaders.ts'
import { ProviderEnum, VoiceAgentType } from '../agents/agent.graphql.ts'
import type { TranscriptLine } from '../providers/telephony.ts'
import { searchCalls } from '../search/search.ts'
import { agentOf, contactOf, contentOf, dealOf, loadCalls } from './call.ts'
import type { Call, ListedCall } from './row.ts'
import { CallWaitType } from './waiting/wait.graphql.ts'
import { loadWaits } from './waiting/wait.ts'

export const CallStatusEnum = builder.enumType('CallStatus', {
  description: 'State of the telephone line. Busy, canceled, completed, failed and no answer are final.',
  values: {
    QUEUED: { value: 'queued', description: 'Not rung yet.' },
    RINGING: { value: 'ringing', description: 'Rings.' },
    IN_PROGRESS: { value: 'in_progress', description: 'Somebody, or something, has answered.' },
    COMPLETED: { value: 'completed', description: 'Answered and over.' },
    BUSY: { value: 'busy', description: 'Busy, or declined.' },
    NO_ANSWER: { value: 'no_answer', description: 'Rang, and nobody answered.' },
    FAILED: { value: 'failed', description: 'Could not be placed, or was lost.' },
    CANCELED: { value: 'canceled', description: 'Ended by us before anybody answered.' },
  } as const,
})

export const DispatchStateEnum = builder.enumType('DispatchState', {
  description: 'How far our own side is in placing a call.',
  values: {
    PENDING: { value: 'pending', description: 'Waits for a free slot, or for the worker.' },
    SCHEDULED: { value: 'scheduled', description: 'Waits for its time.' },
    DISPATCHING: { value: 'dispatching', description: 'The provider is being asked.' },
    DISPATCHED: { value: 'dispatched', description: 'The provider has it.' },
    UNCONFIRMED: { value: 'unconfirmed', description: "The provider's answer was lost: it is asked, and the call is not placed again." },
    BLOCKED: { value: 'blocked', description: 'Must not be placed: `endedReason` says why. No phone has rung.' },
    FAILED: { value: 'failed', description: 'The provider would not or could not place it.' },
    CANCELED: { value: 'canceled', description: 'Canceled before it was placed.' },
  } as const,
})

export const CallOutcomeEnum = builder.enumType('CallOutcome', {
  description: 'Outcome of a call.',
  values: {
    GOAL_MET: { value: 'goal_met', description: 'The agent has reached what it was to do.' },
    GOAL_NOT_MET: { value: 'goal_not_met', description: 'It has not.' },
    CALLBACK_REQUESTED: { value: 'callback_requested', description: 'Wants to be called back.' },
    TRANSFERRED: { value: 'transferred', description: 'Was handed to a person.' },
    VOICEMAIL: { value: 'voicemail', description: 'A machine answered.' },
    NO_ANSWER: { value: 'no_answer', description: 'Nobody answered.' },
    BUSY: { value: 'busy', description: 'Busy.' },
    DECLINED: { value: 'declined', description: 'Was declined.' },
    WRONG_NUMBER: { value: 'wrong_number', description: 'Somebody else answered.' },
    DO_NOT_CALL: { value: 'do_not_call', description: 'Must not be called, or asked not to be.' },
    FAILED: { value: 'failed', description: 'Failed.' },
    UNKNOWN: { value: 'unknown', description: 'Nobody can tell.' },
  } as const,
})

const CallDirectionEnum = builder.enumType('CallDirection', {
  description: 'Direction of the call.',
  values: {
    OUTBOUND: { value: 'outbound', description: 'We called.' },
    INBOUND: { value: 'inbound', description: 'We were called.' },
  } as const,
})

export const AnsweredByEnum = builder.enumType('AnsweredBy', {
  description: 'A person or a machine that answered.',
  values: {
    HUMAN: { value: 'human', description: 'A person.' },
    MACHINE: { value: 'machine', description: 'An answering machine.' },
    IVR: { value: 'ivr', description: 'A menu.' },
    FAX: { value: 'fax', description: 'A fax.' },
    UNKNOWN: { value: 'unknown', description: 'Nobody could tell.' },
  } as const,
})

export const VoicemailActionEnum = builder.enumType('VoicemailAction', {
  description: 'Action when a machine answers.',
  values: {
    HANG_UP: { value: 'hang_up', description: 'Hang up.' },
    LEAVE_MESSAGE: { value: 'leave_message', description: 'Leave a message and hang up.' },
    CONTINUE: { value: 'continue', description: 'Go on as with a person.' },
  } as const,
})

const TranscriptRoleEnum = builder.enumType('TranscriptRole', {
  description: 'The speaker.',
  values: {
    AGENT: { value: 'agent', description: 'The voice agent.' },
    USER: { value: 'user', description: 'The called person.' },
    TOOL: { value: 'tool', description: 'A tool of the agent.' },
    SYSTEM: { value: 'system', description: 'The provider.' },
  } as const,
})

const TranscriptLineType = builder.objectRef<TranscriptLine>('TranscriptLine').implement({
  description: 'One thing said.',
  fields: t => ({
    seq: t.exposeInt('seq', { description: '1, 2, 3, ...' }),
    role: t.expose('role', { type: TranscriptRoleEnum, description: 'The speaker.' }),
    text: t.exposeString('text', { description: 'The spoken text.' }),
    startMs: t.exposeInt('startMs', { nullable: true, description: 'Milliseconds after the answer.' }),
    endMs: t.exposeInt('endMs', { nullable: true, description: 'Milliseconds after the answer.' }),
  }),
})

const CallSchedule = builder.objectRef<Call['schedule']>('CallSchedule').implement({
  description: 'When a call may be placed.',
  fields: t => ({
    earliestAt: t.expose('earliestAt', { type: 'DateTime', nullable: true, description: 'Not before.' }),
    latestAt: t.expose('latestAt', { type: 'DateTime', nullable: true, description: 'Not after.' }),
  }),
})

const Voicemail = builder.objectRef<Call['voicemail']>('Voicemail').implement({
  description: 'Action when a machine answers.',
  fields: t => ({
    action: t.expose('action', { type: VoicemailActionEnum, description: 'The action.' }),
    message: t.exposeString('message', { nullable: true, description: 'The message to leave.' }),
  }),
})

export const CallType = builder.objectRef<ListedCall>('Call').implement({
  description: 'A telephone call placed by a voice agent.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'A UUIDv7; also what providers know the call by.' }),
    orgId: t.id({ description: 'The organization it belongs to.', resolve: selected('orgId') }),
    voiceAgentId: t.exposeID('agentId', { description: 'The agent that placed it.' }),
    voiceAgentVersion: t.exposeInt('agentVersion', { description: 'The version of the agent it was placed with.' }),
    contactId: t.exposeID('contactId', { nullable: true, description: 'The contact who was called.' }),
    dealId: t.exposeID('dealId', { nullable: true, description: 'The deal that it is about.' }),
    provider: t.field({ type: ProviderEnum, description: 'The provider that placed it.', resolve: selected('provider') }),
    isTrial: t.boolean({
      description: 'Whether it was a trial of its agent: played by the simulator, free, of no contact, and in no statistics.',
      resolve: selected('isTrial'),
    }),
    direction: t.field({ type: CallDirectionEnum, description: 'Direction of the call.', resolve: selected('direction') }),
    dispatchState: t.field({ type: DispatchStateEnum, description: 'How far our own side is.', resolve: selected('dispatchState') }),
    status: t.field({ type: CallStatusEnum, description: 'State of the telephone line.', resolve: selected('status') }),
    outcome: t.field({
      type: CallOutcomeEnum,
      nullable: true,
      description: 'Its outcome, once it is over.',
      resolve: selected('outcome'),
    }),
    fromNumber: t.string({ nullable: true, description: 'The number that the callee sees.', resolve: selected('fromNumber') }),
    toNumber: t.string({ description: 'The number that was called.', resolve: selected('toNumber') }),
    providerCallId: t.id({ nullable: true, description: "The provider's id of it.", resolve: selected('providerCallId') }),
    recordingUrl: t.string({ nullable: true, description: 'Where the recording is.', resolve: selected('recordingUrl') }),
    transcript: t.field({
      type: [TranscriptLineType],
      description: 'The transcript. Empty again when the call is older than transcripts are kept, which is for ever by default.',
      resolve: async (call, _args, context) => (await contentOf(context, call)).transcript,
    }),
    extracted: t.field({
      type: 'JSONObject',
      description: 'Values that the agent took from the conversation.',
      resolve: async (call, _args, context) => (await contentOf(context, call)).extracted,
    }),
    variables: t.field({
      type: 'JSONObject',
      description: 'The data that the agent was given.',
      resolve: async (call, _args, context) => (await contentOf(context, call)).variables,
    }),
    metadata: t.field({ type: 'JSONObject', description: "The caller's own data.", resolve: selected('metadata') }),
    summary: t.string({ nullable: true, description: 'The conversation in short.', resolve: selected('summary') }),
    answeredBy: t.field({
      type: AnsweredByEnum,
      nullable: true,
      description: 'A person or a machine that answered.',
      resolve: selected('answeredBy'),
    }),
    answeredAt: t.field({ type: 'DateTime', nullable: true, description: 'When it was answered.', resolve: selected('answeredAt') }),
    endedAt: t.field({ type: 'DateTime', nullable: true, description: 'When it ended.', resolve: selected('endedAt') }),
    durationSeconds: t.int({ nullable: true, description: 'From the answer to the end.', resolve: selected('durationSeconds') }),
    endedReason: t.string({
      nullable: true,
      description: 'Why it ended, in a word. Words of providers among them, so expect unknown ones.',
      resolve: selected('endedReason'),
    }),
    providerReason: t.string({ nullable: true, description: "The provider's sentence about it.", resolve: selected('providerReason') }),
    wait: t.field({
      type: CallWaitType,
      nullable: true,
      description: 'Until when it waits, and why; null unless it is scheduled.',
      resolve: ({ id }, _args, context) => load(context, loadWaits, id),
    }),
    schedule: t.field({ type: CallSchedule, description: 'When it may be placed.', resolve: selected('schedule') }),
    maxDurationSeconds: t.int({ description: 'The longest it may last.', resolve: selected('maxDurationSeconds') }),
    ringTimeoutSeconds: t.int({ description: 'The longest it may ring.', resolve: selected('ringTimeoutSeconds') }),
    record: t.boolean({ description: 'Whether it is recorded.', resolve: selected('record') }),
    voicemail: t.field({ type: Voicemail, description: 'Action when a machine answers.', resolve: selected('voicemail') }),
    creditsReserved: t.float({ description: 'Credits held for its longest duration.', resolve: selected('creditsReserved') }),
    creditsCharged: t.float({
      nullable: true,
      description: 'Credits it has cost; null until it is over.',
      resolve: selected('creditsCharged'),
    }),
    dispatchedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the provider had it.',
      resolve: selected('dispatchedAt'),
    }),
    createdBy: t.field({ type: ActorType, description: 'The actor who asked for it.', resolve: selected('createdBy') }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was asked for.' }),
    updatedAt: t.field({ type: 'DateTime', description: 'When it last changed.', resolve: selected('updatedAt') }),
    version: t.int({ description: 'Counts its changes, from 1.', resolve: selected('version') }),
    voiceAgent: t.field({
      type: VoiceAgentType,
      nullable: true,
      description: 'The agent as it is now. Needs `agents:read`.',
      resolve: (call, _args, context) => (call.loadedAgent === undefined ? agentOf(context, call) : call.loadedAgent),
    }),
    contact: t.field({
      type: ContactType,
      nullable: true,
      description: 'The contact, deleted or not. Needs `contacts:read`.',
      resolve: (call, _args, context) => (call.loadedContact === undefined ? contactOf(context, call) : call.loadedContact),
    }),
    deal: t.field({
      type: DealType,
      nullable: true,
      description: 'The deal, deleted or not. Needs `contacts:read`.',
      resolve: (call, _args, context) => dealOf(context, call),
    }),
  }),
})

noun('call', CallType, {
  scope: 'calls:read',
  load: loadCalls,
  isInTimelines: true,
  search: { description: 'Calls, by their summaries and transcripts', find: searchCalls },
  rank: 4,
})
