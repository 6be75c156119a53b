// The port to telephone companies: what Rolocom asks of one, and what one may say. Drivers stand in telephony/.

import type { Problem } from '../errors.ts'

export const providerNames = ['simulator', 'twilio', 'vapi', 'http'] as const
export type ProviderName = (typeof providerNames)[number]

export const callStatuses = ['queued', 'ringing', 'in_progress', 'completed', 'busy', 'no_answer', 'failed', 'canceled'] as const
export type CallStatus = (typeof callStatuses)[number]

export const callOutcomes = [
  'goal_met',
  'goal_not_met',
  'callback_requested',
  'transferred',
  'voicemail',
  'no_answer',
  'busy',
  'declined',
  'wrong_number',
  'do_not_call',
  'failed',
  'unknown',
] as const
export type CallOutcome = (typeof callOutcomes)[number]

export const answerers = ['human', 'machine', 'ivr', 'fax', 'unknown'] as const
export type AnsweredBy = (typeof answerers)[number]

export const voicemailActions = ['hang_up', 'leave_message', 'continue'] as const
export type VoicemailAction = (typeof voicemailActions)[number]

/** One thing said, `startMs` and `endMs` after the answer. */
export interface TranscriptLine {
  seq: number
  role: 'agent' | 'user' | 'tool' | 'system'
  text: string
  startMs: number | null
  endMs: number | null
}

/** A field taken from the conversation: plain values only. */
export interface ExtractedField {
  type: 'string' | 'number' | 'integer' | 'boolean'
  description?: string
  enum?: readonly (string | number)[]
}

/** An agent as a provider needs to know it: what it was at one version. */
export interface AgentSetup {
  id: string
  orgId: string
  version: number
  name: string
  instructions: string | null
  firstMessage: string | null
  extraction: Readonly<Record<string, ExtractedField>>
  phoneNumber: string | null
  providerAssistantId: string | null
  providerPhoneId: string | null
  dispatchUrl: string | null
  /** Secrets of the agent's own messages, the one in use first. */
  secrets: readonly string[]
}

export interface DialOrder {
  /** Our id: the provider's idempotency key. */
  callId: string
  agent: AgentSetup
  toNumber: string
  fromNumber: string | null
  contactId: string | null
  /** Data for the agent, never part of its instructions. */
  variables: Readonly<Record<string, unknown>>
  metadata: Readonly<Record<string, unknown>>
  maxDurationSeconds: number
  ringTimeoutSeconds: number
  record: boolean
  voicemail: { action: VoicemailAction; message: string | null }
}

/** What came of a dial. */
export type Dialled =
  | { kind: 'accepted'; providerCallId: string }
  /** The provider will not place it, now or later. */
  | { kind: 'rejected'; reason: string }
  /** The provider has certainly not placed it, and may when asked again. */
  | { kind: 'unsent'; reason: string; retryAfterSeconds?: number }
  /** The phone may ring. */
  | { kind: 'unknown'; reason: string }

/** A call that a provider was asked to place. */
export interface PlacedCall {
  callId: string
  providerCallId: string | null
  agent: AgentSetup
  toNumber: string
  fromNumber: string | null
  dialledAt: Date
  answered: boolean
}

/** What is new about a call. Absent: nothing is known. */
export interface CallNews {
  providerCallId?: string | undefined
  status?: CallStatus | undefined
  answeredBy?: AnsweredBy | undefined
  answeredAt?: Date | undefined
  endedAt?: Date | undefined
  durationSeconds?: number | undefined
  outcome?: CallOutcome | undefined
  /** A word of ours or of the provider's own: `hung_up_by_user`, `agent_hang_up`, ... */
  endedReason?: string | undefined
  /** As the provider said it. */
  providerReason?: string | undefined
  recordingUrl?: string | undefined
  summary?: string | undefined
  transcript?: readonly TranscriptLine[] | undefined
  extracted?: Readonly<Record<string, unknown>> | undefined
}

export type Found =
  | { kind: 'found'; news: CallNews & { providerCallId: string; status: CallStatus } }
  /** The provider has no such call. */
  | { kind: 'absent' }
  | { kind: 'unknown'; reason: string }

/** What a provider has sent, as it is kept. */
export interface Message {
  /** The address it was sent to, as the provider knows it, with its query. */
  url: string
  contentType: string
  body: string
  /** The provider's own id of the message, where it sends one. */
  messageId: string | null
}

/** A message with what proves whose it is. */
export interface Delivery extends Message {
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
}

/** What a message says about one call. */
export interface ProviderEvent {
  /** What identifies the event among the provider's; the same for every repetition. */
  key: string
  callId: string | null
  providerCallId: string | null
  /** Null: nothing of interest. */
  news: CallNews | null
}

export interface Provisioned {
  providerAssistantId: string | null
  providerPhoneId?: string | null
}

/** Why an agent cannot be provisioned, as its owner reads it. */
export class ProvisioningError extends Error {
  /** Whether trying again may help. */
  readonly isFinal: boolean
  constructor(reason: string, { isFinal, cause }: { isFinal: boolean; cause?: unknown }) {
    super(reason, cause === undefined ? undefined : { cause })
    this.name = 'ProvisioningError'
    this.isFinal = isFinal
  }
}

/** The message is not from the provider. */
export class ForgedDelivery extends Error {
  override name = 'ForgedDelivery'
}

/** The message is from the provider and cannot be understood. */
export class UnreadableDelivery extends Error {
  override name = 'UnreadableDelivery'
  /** By the message's own names; with an empty path, of all of it. */
  readonly problems: readonly Problem[]
  constructor(reason: string, problems?: readonly Problem[]) {
    super(reason)
    this.problems = problems ?? [{ path: [], type: 'value_error', message: `Value error, ${reason}`, context: { error: reason } }]
  }
}

export interface Provider {
  /** Whether dialling with the same call id again can ring no second phone. */
  dialsOnce: boolean
  /** Whether it acts on answering machines by itself. Otherwise it is told what to do when one has answered. */
  handlesVoicemail: boolean
  /** Makes the agent known, or makes a change of it known. Repeating it makes no second one. Throws ProvisioningError. */
  provision(agent: AgentSetup): Promise<Provisioned>
  /** Never throws. */
  dial(order: DialOrder): Promise<Dialled>
  /** `isOurs` tells whether a provider's call already belongs to another call of ours. Never throws. */
  lookup(call: PlacedCall, isOurs: (providerCallId: string) => Promise<boolean>): Promise<Found>
  /** Ends it, however far it is. False: the provider could not be asked. Never throws. */
  hangUp(call: PlacedCall): Promise<boolean>
  /** Speaks into an answering machine and hangs up. */
  leaveMessage?(call: PlacedCall, message: string): Promise<boolean>
  /** `secretsOf` resolves with the secrets of the call's agent. Throws ForgedDelivery. */
  verify(delivery: Delivery, secretsOf: (callId: string) => Promise<readonly string[]>): Promise<void>
  /** Reads a message that was verified. Throws UnreadableDelivery. */
  read(message: Message): ProviderEvent
}

/** The providers of this installation; null where one is not configured. */
export type Telephony = Readonly<Record<ProviderName, Provider | null>>
