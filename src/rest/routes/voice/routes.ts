// The endpoints of voice: calls, voice agents, and events of telephony providers.

import { z } from 'zod'
import {
  ArchiveAgentDocument,
  CancelCallDocument,
  ContinueCallDocument,
  CreateAgentDocument,
  CreateCallDocument,
  GetAgentDocument,
  GetCallDocument,
  ListAgentsDocument,
  ListCallsDocument,
  PauseAgentDocument,
  ProvisionAgentDocument,
  RecordProviderEventDocument,
  ResumeAgentDocument,
  RevealSigningSecretDocument,
  RotateSigningSecretDocument,
  UpdateAgentDocument,
} from '../../../generated/operations.ts'
import { type ProviderName, signatureHeaders } from '../../../voice/providers/telephony.ts'
import { developers, type Route, route } from '../../router/route.ts'
import { pageOf, total } from '../inputs.ts'
import { voiceExamples as examples } from './examples.ts'
import { agentChange, agentFilter, callFilter, callSort, newAgent, newCall } from './inputs.ts'

const calls = '/api/voice/v1/calls'
const call = `${calls}/{call_id}` as const
const agents = '/api/voice/v1/agents'
const agent = `${agents}/{agent_id}` as const

/** Properties that the contract documents as never null. */
export const documentedCall = {
  id: '',
  agent_id: '',
  contact_id: '',
  direction: '',
  dispatch_state: '',
  status: '',
  outcome: '',
  from_number: '',
  to_number: '',
  provider_call_id: '',
  recording_url: '',
  transcript: [],
  extracted: {},
  created_at: '',
  updated_at: '',
} as const
export const documentedAgent = {
  id: '',
  name: '',
  org_id: '',
  host_app_id: '',
  instructions: '',
  phone_number: '',
  provider: '',
  provider_assistant_id: '',
  dispatch_url: '',
  status: '',
  created_at: '',
  updated_at: '',
} as const

const aCall = { role: 'api', tag: 'Calls', callers: developers, documented: documentedCall } as const
const anAgent = { role: 'api', tag: 'Voice agents', callers: developers, documented: documentedAgent } as const
const numberTaken = 'another agent of the provider has this number'
const unfit = 'the agent is in a state that does not allow it'
const aTransition = { ...anAgent, scope: 'agents:write', errors: { CONFLICT: unfit } } as const
const someSecrets = {
  role: 'api',
  tag: 'Voice agents',
  callers: developers,
  scope: 'agents:write',
  isSecret: true,
  examples: { answer: examples.secrets },
} as const

const fromProvider = {
  role: 'api',
  tag: 'Calls',
  callers: [],
  isRaw: true,
  proofOf: ({ provider }, headers, { telephony }) => telephony[provider as ProviderName]?.proofOf?.(headers) ?? 'none',
  signedBy: ({ provider }) => signatureHeaders[provider as ProviderName] ?? [],
} satisfies Partial<Route>

export const voiceRoutes: readonly Route[] = [
  route('POST', calls, CreateCallDocument, {
    ...aCall,
    summary: 'Place a call',
    description:
      'Dials at once, and answers when the provider has the call: `provider_call_id` is bound. A slower provider is left to the worker, and the call comes back `pending`. A number that must not be called is `blocked`, and no phone rings.',
    scope: 'calls:write',
    body: newCall,
    status: 201,
    location: `${calls}/{id}`,
    errors: {
      AGENT_NOT_ACTIVE: 'the agent is not active',
      INSUFFICIENT_CREDITS: 'the account cannot pay for the longest such call; no phone rings',
    },
    examples: { body: examples.newCall, answer: examples.call },
  }),
  route('GET', calls, ListCallsDocument, {
    ...aCall,
    summary: 'List calls',
    description:
      'Newest first unless sorted otherwise. Filters combine with "and", the values of one with "or". Trials of agents are listed by `is_trial=true` alone.',
    scope: 'calls:read',
    query: z.strictObject({
      ...pageOf,
      sort: callSort.optional(),
      include: total,
      ...callFilter,
    }),
    examples: { answer: examples.callPage },
  }),
  route('GET', call, GetCallDocument, {
    ...aCall,
    summary: 'Get a call',
    description: 'As it is now: how far it is, and once it is over the transcript and the results.',
    scope: 'calls:read',
    etag: true,
    examples: { answer: examples.endedCall },
  }),
  route('POST', `${call}/cancel`, CancelCallDocument, {
    ...aCall,
    summary: 'Cancel a call',
    description: 'One that waits is never dialled; one that rings or talks is ended. Canceling again changes nothing.',
    scope: 'calls:write',
    etag: true,
    errors: { CONFLICT: 'the call is over' },
    examples: { answer: examples.canceledCall },
  }),
  route('POST', agents, CreateAgentDocument, {
    ...anAgent,
    summary: 'Create a voice agent',
    description: 'It is made known to its provider at once; with `draft` it is not, until `provision`.',
    scope: 'agents:write',
    body: newAgent,
    status: 201,
    location: `${agents}/{id}`,
    errors: { ALREADY_EXISTS: numberTaken },
    examples: { body: examples.newAgent, answer: examples.agent },
  }),
  route('GET', agents, ListAgentsDocument, {
    ...anAgent,
    summary: 'List voice agents',
    description: 'Newest first.',
    scope: 'agents:read',
    query: z.strictObject({ ...pageOf, ...agentFilter }),
    examples: { answer: examples.agentPage },
  }),
  route('GET', agent, GetAgentDocument, {
    ...anAgent,
    summary: 'Get a voice agent',
    description: 'Its configuration, archived or not.',
    scope: 'agents:read',
    examples: { answer: examples.agent },
  }),
  route('PATCH', agent, UpdateAgentDocument, {
    ...anAgent,
    summary: 'Change a voice agent',
    description: 'A new version, for calls placed from now on. A field that is absent stays as it is, null clears it.',
    scope: 'agents:write',
    body: agentChange,
    errors: { ALREADY_EXISTS: numberTaken, CONFLICT: 'the agent is archived' },
    examples: { body: examples.agentChange, answer: examples.agent },
  }),
  route('POST', `${agent}/provision`, ProvisionAgentDocument, {
    ...aTransition,
    summary: 'Provision a draft, or a failed agent again',
    description: 'Makes it known to its provider, as creating does.',
    examples: { answer: examples.agent },
  }),
  route('POST', `${agent}/pause`, PauseAgentDocument, {
    ...aTransition,
    summary: 'Pause a voice agent',
    description: 'It places no calls until it is resumed; those that wait keep waiting.',
    examples: { answer: examples.pausedAgent },
  }),
  route('POST', `${agent}/resume`, ResumeAgentDocument, {
    ...aTransition,
    summary: 'Resume a paused voice agent',
    description: 'It places calls again, those that waited first.',
    examples: { answer: examples.agent },
  }),
  route('POST', `${agent}/archive`, ArchiveAgentDocument, {
    ...anAgent,
    summary: 'Archive a voice agent',
    description: 'For good. Its calls that wait are canceled, its number is free again.',
    scope: 'agents:write',
    examples: { answer: examples.archivedAgent },
  }),
  route('POST', `${agent}/signing-secret`, RevealSigningSecretDocument, {
    ...someSecrets,
    summary: "Show an agent's signing secret",
    description: "The secrets that sign the agent's own messages, by Standard Webhooks: its dispatches, and the events it sends back.",
  }),
  route('POST', `${agent}/signing-secret/rotate`, RotateSigningSecretDocument, {
    ...someSecrets,
    summary: "Rotate an agent's signing secret",
    description: 'The secret before counts for another day.',
    errors: { CONFLICT: 'it was rotated less than a day ago' },
  }),
  route('POST', '/api/voice/v1/providers/{provider}/events', RecordProviderEventDocument, {
    ...fromProvider,
    summary: 'Report on a call',
    description:
      "Where telephone providers report to: `twilio` with X-Twilio-Signature, `vapi` with its secret, `http` and `simulator` signed by Standard Webhooks with the agent's secret. Repetitions and late reports change nothing. At most 10 MiB.",
    examples: { answer: examples.receipt },
  }),
  route('POST', '/api/voice/v1/providers/{provider}/next', ContinueCallDocument, {
    ...fromProvider,
    summary: 'Ask how a call goes on',
    description:
      'Where Twilio asks, with X-Twilio-Signature, after the socket of a conversation has closed. The answer is TwiML: another socket while the conversation goes on, else the end of the call.',
    textOf: { member: 'xml', type: 'text/xml; charset=utf-8' },
    examples: { answer: '<Response><Hangup/></Response>' },
  }),
]
