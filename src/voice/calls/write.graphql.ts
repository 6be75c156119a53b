// Placing and ending calls, and events of providers, in the schema.

import { builder, inputOfId } from '../../graphql/schema/builder.ts'
import { ProviderEnum } from '../agents/agent.graphql.ts'
import { nextStepOf } from '../conversations/relay/next-step.ts'
import { eventsOfCall, type ProviderEventRow, receiveEvent, replayProviderEvent } from '../events/event.ts'
import { cancelCall } from '../transitions/control.ts'
import { CallType, VoicemailActionEnum } from './call.graphql.ts'
import { createCall } from './place.ts'

const CallScheduleInput = builder.inputType('CallScheduleInput', {
  description: 'When a call may be placed.',
  fields: t => ({
    earliestAt: t.field({ type: 'DateTime', description: 'Not before. Default: at once.' }),
    latestAt: t.field({ type: 'DateTime', description: 'Not after. Default: a week after the earliest time.' }),
  }),
})

const VoicemailInput = builder.inputType('VoicemailInput', {
  description: 'Action when a machine answers.',
  fields: t => ({
    action: t.field({ type: VoicemailActionEnum, description: 'The action. Default: HANG_UP, or LEAVE_MESSAGE with a message.' }),
    message: t.string({ description: 'The message to leave.' }),
  }),
})

const CreateCallInput = builder.inputType('CreateCallInput', {
  description: 'A call to place.',
  fields: t => ({
    voiceAgentId: t.id({ required: true, description: 'The agent that speaks. It must be active.' }),
    toNumber: t.string({ required: true, description: 'The number to call, in E.164: + and 7 to 15 digits.' }),
    contactId: t.id({ description: 'The contact who is called. Default: the one with that number, or a new one.' }),
    dealId: t.id({ description: 'The deal that the call is about.' }),
    fromNumber: t.string({ description: "The number the callee sees. Default: the agent's." }),
    variables: t.field({
      type: 'JSONObject',
      description: "Values of placeholders in the agent's texts, before the contact's fields, and data for the agent.",
    }),
    metadata: t.field({ type: 'JSONObject', description: "The caller's own data, kept with the call." }),
    schedule: t.field({ type: CallScheduleInput, description: 'When it may be placed. Default: at once.' }),
    maxDurationSeconds: t.int({ description: 'The longest it may last, 30 to 7200. Default: 600.' }),
    ringTimeoutSeconds: t.int({ description: 'The longest it may ring, 5 to 120. Default: 30.' }),
    record: t.boolean({ description: 'Whether to record it. Default: true.' }),
    voicemail: t.field({ type: VoicemailInput, description: 'Action when a machine answers. Default: hang up.' }),
    isTrial: t.boolean({
      description:
        'Whether it is a trial: the simulator plays it at once, at no cost, and no phone rings. It is of no contact and in no statistics; `contactId` only fills the texts. Default: false.',
    }),
  }),
})

const ReceptionEnum = builder.enumType('EventReception', {
  description: "State of a provider's message.",
  values: {
    APPLIED: { value: 'applied', description: 'It was news.' },
    IGNORED: { value: 'ignored', description: 'It says nothing new, or nothing about a call of ours.' },
    DUPLICATE: { value: 'duplicate', description: 'It had come before.' },
    FAILED: { value: 'failed', description: 'It is kept, and will be applied later.' },
  } as const,
})

const EventStateEnum = builder.enumType('ProviderEventState', {
  description: 'How far a kept message is.',
  values: {
    RECEIVED: { value: 'received', description: 'Not applied yet.' },
    APPLIED: { value: 'applied', description: 'Applied.' },
    IGNORED: { value: 'ignored', description: 'It said nothing new.' },
    FAILED: { value: 'failed', description: 'Could not be applied; `note` says why.' },
  } as const,
})

const ProviderEventType = builder.objectRef<ProviderEventRow>('ProviderEvent').implement({
  description: 'A message of a provider about a call, as it is kept.',
  fields: t => ({
    id: t.exposeID('id', { description: 'A UUIDv7.' }),
    provider: t.expose('provider', { type: ProviderEnum, description: 'The provider that sent it.' }),
    eventKey: t.exposeString('eventKey', { description: 'Its key among the events of its provider.' }),
    callId: t.exposeID('callId', { nullable: true, description: 'The call it is about.' }),
    state: t.expose('state', { type: EventStateEnum, description: 'How far it is.' }),
    note: t.exposeString('note', { nullable: true, description: 'Why it was ignored, or why it failed.' }),
    receivedAt: t.expose('receivedAt', { type: 'DateTime', description: 'When it came.' }),
    appliedAt: t.expose('appliedAt', { type: 'DateTime', nullable: true, description: 'When it was applied or ignored.' }),
  }),
})

const EventReceipt = builder.objectRef<{ outcome: Awaited<ReturnType<typeof receiveEvent>> }>('EventReceipt').implement({
  description: "The answer to a provider's message.",
  fields: t => ({ outcome: t.expose('outcome', { type: ReceptionEnum, description: 'Its state.' }) }),
})

builder.objectField(CallType, 'providerEvents', t =>
  t.field({
    type: [ProviderEventType],
    description: 'Messages of the provider about the call, oldest first; at most 200. Needs `calls:read`.',
    authScopes: { scope: 'calls:read' },
    resolve: (call, _args, context) => eventsOfCall(context, call.id),
  }),
)

const RecordProviderEventInput = builder.inputType('RecordProviderEventInput', {
  description: 'A message of a provider, as it was sent.',
  fields: t => ({
    provider: t.string({ required: true, description: 'Which provider.' }),
    path: t.string({ required: true, description: 'Path and query of the address it was sent to.' }),
    headers: t.field({ type: 'JSONObject', required: true, description: 'Its headers, names in lower case.' }),
    body: t.string({ required: true, description: 'Its body, byte for byte.' }),
  }),
})

const CarrierAnswer = builder.objectRef<{ xml: string }>('CarrierAnswer').implement({
  description: 'Instructions for a carrier.',
  fields: t => ({ xml: t.exposeString('xml', { description: 'TwiML.' }) }),
})

builder.mutationFields(t => ({
  continueCall: t.field({
    type: CarrierAnswer,
    description:
      'Tells a carrier how a call goes on after the socket of its conversation has closed: another socket, or the end. For the door that providers come to, and nobody else.',
    authScopes: { system: true },
    effect: { overwrites: true, cannotBeTried: 'its answer has a token for the next socket' },
    args: { input: t.arg({ type: RecordProviderEventInput, required: true, description: 'The question of the carrier.' }) },
    resolve: async (_parent, { input }, context) => ({ xml: await nextStepOf(context, input) }),
  }),
  createCall: t.field({
    type: CallType,
    description:
      'Places a call. It is dialled at once, and answered for when the provider has it; a slower provider is left to the worker, and the call comes back PENDING. AGENT_NOT_ACTIVE, INSUFFICIENT_CREDITS: no phone rings.',
    authScopes: { scope: 'calls:write' },
    effect: {
      reachesOutside: true,
      cost: { setting: 'VOICE_PRICE_PER_MINUTE', per: 'minute of an answered call; the price of its longest duration is reserved' },
    },
    args: { input: t.arg({ type: CreateCallInput, required: true, description: 'The call.' }) },
    resolve: (_parent, { input }, context) => createCall(context, input),
  }),
  cancelCall: t.field({
    type: CallType,
    description: 'Ends a call, or keeps it from being placed. CONFLICT for one that is over.',
    authScopes: { scope: 'calls:write' },
    effect: { overwrites: true, reachesOutside: true },
    args: inputOfId('CancelCallInput', 'A call to end.'),
    resolve: (_parent, { input }, context) => cancelCall(context, input.id),
  }),
  replayProviderEvent: t.field({
    type: ProviderEventType,
    description: "Applies a provider's kept message once more. Changes that it already made stay as they are.",
    authScopes: { scope: 'calls:write' },
    effect: { overwrites: true, isIdempotent: true },
    args: inputOfId('ReplayProviderEventInput', 'A message to apply once more.'),
    resolve: (_parent, { input }, context) => replayProviderEvent(context, input.id),
  }),
  recordProviderEvent: t.field({
    type: EventReceipt,
    description:
      "Takes a message of a telephone provider's, whose signature is checked over its raw body. For the door that providers come to, and nobody else.",
    authScopes: { system: true },
    effect: { overwrites: true, isIdempotent: true },
    args: { input: t.arg({ type: RecordProviderEventInput, required: true, description: 'The message.' }) },
    resolve: async (_parent, { input }, context) => ({ outcome: await receiveEvent(context, input) }),
  }),
}))
