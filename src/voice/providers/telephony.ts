// The port to telephony providers: requests, answers and messages.

import { unreachable } from '../../kernel/dry-run.ts'
import { type Problem, valueError } from '../../kernel/input/problem.ts'

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

const voicemailActions = ['hang_up', 'leave_message', 'continue'] as const
export type VoicemailAction = (typeof voicemailActions)[number]

/** One utterance, from `startMs` to `endMs` after the call was answered. */
export interface TranscriptLine {
  seq: number
  role: 'agent' | 'user' | 'tool' | 'system'
  text: string
  startMs: number | null
  endMs: number | null
}

/** The stored maximum of a provider's report: characters, or lines. Own servers are refused beyond that, others are cut. */
export const longest = { reason: 1000, summary: 10_000, address: 2048, id: 200, line: 10_000, lines: 5000 } as const

/** The address if people can open it; undefined for any other text. */
export const webAddress = (url: string | null | undefined): string | undefined =>
  url && url.length <= longest.address && /^https?:/.test(url) ? url : undefined

/** A field to extract from the conversation: plain values only. */
// A type, because an interface is not assignable to JSON.
export type ExtractedField = {
  type: 'string' | 'number' | 'integer' | 'boolean'
  /** Its name for people. */
  title?: string
  description?: string
  /** A day, as YYYY-MM-DD. */
  format?: 'date'
  enum?: readonly (string | number)[]
  /** The contact field that the value is suggested for; null for none. Default: the field of the same name. */
  field?: string | null
  /** Its place among the fields. PostgreSQL does not keep the order of JSON. */
  order?: number
}

/** A number to which an agent may transfer calls. */
// A type, because an interface is not assignable to JSON.
export type Destination = {
  /** The name that the agent knows, such as "Sales". */
  name: string
  /** E.164. */
  phone: string
}

/** A version of an agent, in the form that providers need. */
export interface AgentSetup {
  id: string
  orgId: string
  version: number
  name: string
  instructions: string | null
  firstMessage: string | null
  extraction: Readonly<Record<string, ExtractedField>>
  phoneNumber: string | null
  language: string | null
  voice: string | null
  /** The model that speaks in conversations that this server holds; null for the configured ones. */
  model?: string | null
  transferTo?: readonly Destination[]
  providerAssistantId: string | null
  providerPhoneId: string | null
  dispatchUrl: string | null
  /** The secrets that sign the agent's messages, the current one first. */
  secrets: readonly string[]
}

/** How a call goes on after its socket has closed. */
type NextStep =
  | { kind: 'hang_up' }
  | { kind: 'transfer'; toNumber: string; fromNumber: string | null }
  | { kind: 'reopen'; relayUrl: string; agent: AgentSetup; callId: string }

export interface DialOrder {
  /** Our call id, which the provider uses as an idempotency key. */
  callId: string
  agent: AgentSetup
  toNumber: string
  fromNumber: string | null
  contactId: string | null
  /** The caller's values. The agent's texts have the values of their placeholders already. */
  variables: Readonly<Record<string, unknown>>
  metadata: Readonly<Record<string, unknown>>
  maxDurationSeconds: number
  ringTimeoutSeconds: number
  record: boolean
  voicemail: { action: VoicemailAction; message: string | null }
  /** The socket of the conversation, for a provider with `relay`; null if the agent's own server speaks. */
  relayUrl: string | null
}

/** The result of a dial. */
export type Dialled =
  | { kind: 'accepted'; providerCallId: string }
  /** The provider refuses the call permanently. */
  | { kind: 'rejected'; reason: string }
  /** The provider has certainly not placed the call, so it may be retried. */
  | { kind: 'unsent'; reason: string; retryAfterSeconds?: number }
  /** The provider may have placed the call. */
  | { kind: 'unknown'; reason: string }

/** A call that was sent to a provider. */
export interface PlacedCall {
  callId: string
  providerCallId: string | null
  agent: AgentSetup
  toNumber: string
  fromNumber: string | null
  dialledAt: Date
  answered: boolean
}

/** News of a call from its provider. Absent properties are unknown. */
export interface CallNews {
  providerCallId?: string | undefined
  status?: CallStatus | undefined
  /** True of a call that was answered whatever its status says, such as one that failed later. */
  isAnswered?: boolean | undefined
  answeredBy?: AnsweredBy | undefined
  answeredAt?: Date | undefined
  endedAt?: Date | undefined
  durationSeconds?: number | undefined
  outcome?: CallOutcome | undefined
  /** In snake_case, defined here or by the provider, such as `hung_up_by_user` or `agent_hang_up`. */
  endedReason?: string | undefined
  /** The provider's own text. */
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

/** A message of a provider, as it is stored. */
export interface Message {
  /** The URL to which it was sent, with its query, as the provider knows it. */
  url: string
  contentType: string
  body: string
  /** The provider's own id of the message, if it sends one. */
  messageId: string | null
}

/** A message with the headers that authenticate its sender. */
export interface Delivery extends Message {
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
}

const standardWebhooks = ['webhook-signature', 'svix-signature'] as const

/** A message of each provider has one of these headers, so a request without it is refused before its body is read. */
export const signatureHeaders: Readonly<Record<ProviderName, readonly string[]>> = {
  http: standardWebhooks,
  simulator: standardWebhooks,
  twilio: ['x-twilio-signature'],
  vapi: ['x-vapi-secret', 'x-vapi-signature', 'authorization'],
}

/** A parsed message about one call. */
export interface ProviderEvent {
  /** Identifies the event among the events of the provider. A repeated event has the same key. */
  key: string
  callId: string | null
  providerCallId: string | null
  /** Null if the message does not change the call's state. */
  news: CallNews | null
  /** The message as JSON with what `read` reads of it, which is stored in place of a long one. */
  reduce?: () => string
}

export interface Provisioned {
  providerAssistantId: string | null
  providerPhoneId?: string | null
}

/** Thrown when an agent cannot be provisioned. The message is shown to its owner. */
export class ProvisioningError extends Error {
  /** False if another attempt may succeed. */
  readonly isFinal: boolean
  constructor(reason: string, { isFinal, cause }: { isFinal: boolean; cause?: unknown }) {
    super(reason, cause === undefined ? undefined : { cause })
    this.name = 'ProvisioningError'
    this.isFinal = isFinal
  }
}

/** Thrown for a message that the provider did not send. */
export class ForgedDelivery extends Error {
  override name = 'ForgedDelivery'
}

/** Thrown for a message of the provider that is malformed. */
export class UnreadableDelivery extends Error {
  override name = 'UnreadableDelivery'
  /** Paths within the message; an empty path means the whole message. */
  readonly problems: readonly Problem[]
  constructor(reason: string, problems?: readonly Problem[]) {
    super(reason)
    this.problems = problems ?? [valueError([], reason)]
  }
}

export interface Provider {
  /** Whether the provider treats the call id as an idempotency key, so that dialling again does not ring a second phone. */
  dialsOnce: boolean
  /**
   * Whether it handles answering machines itself, as the dial order says. If not, `hangUp` or `leaveMessage` is called when one has
   * answered.
   */
  handlesVoicemail: boolean
  /** Creates or updates the agent at the provider. Repeating it does not create a second one. Throws ProvisioningError. */
  provision(agent: AgentSetup): Promise<Provisioned>
  /** Never throws. */
  dial(order: DialOrder): Promise<Dialled>
  /** Asks for the call's state. `belongsToAnother`: whether the provider's call is already stored as a different call. Never throws. */
  lookup(call: PlacedCall, belongsToAnother: (providerCallId: string) => Promise<boolean>): Promise<Found>
  /** Ends the call in any state. False if the provider could not be reached. Never throws. */
  hangUp(call: PlacedCall): Promise<boolean>
  /** Leaves a message on an answering machine and ends the call. False if the provider could not be reached. Never throws. */
  leaveMessage?(call: PlacedCall, message: string): Promise<boolean>
  /**
   * The proof in the headers alone, before the body is read: the sender; that there is a signature of the body, which has to be read to check
   * it; or nothing. Default: nothing.
   */
  proofOf?(headers: Readonly<Record<string, string | readonly string[] | undefined>>): 'sender' | 'signature' | 'none'
  /** Throws ForgedDelivery for an invalid signature. `secretsOf` resolves with the secrets of the call's agent. */
  verify(delivery: Delivery, secretsOf: (callId: string) => Promise<readonly string[]>): Promise<void>
  /** Checks the signature of a request for the socket of a conversation. Default: the one-use token in its address is the only credential. */
  verifySocket?(url: string, header: (name: string) => string | undefined): Promise<boolean>
  /**
   * Whether its calls talk through this server: `dial` connects the call to the socket at `order.relayUrl`. `continueWith` is the answer to a
   * carrier whose socket has closed.
   */
  relay?: {
    /** The call of a carrier's question how it goes on, and whether it is over. */
    callIn(message: Message): { callId: string | null; isOver: boolean }
    /** The answer, as XML. */
    continueWith(next: NextStep): string
  }
  /** Parses a verified message. Throws UnreadableDelivery. */
  read(message: Message): ProviderEvent
}

/** The providers of this installation; null for those that are not configured. */
export type Telephony = Readonly<Record<ProviderName, Provider | null>>

declare module '../../kernel/context.ts' {
  interface Services {
    telephony: Telephony
  }
}

/** The providers in a dry run: they verify and read messages, and refuse everything else. */
export const unreachableTelephony = (telephony: Telephony): Telephony =>
  Object.fromEntries(
    Object.entries(telephony).map(([name, provider]) => [
      name,
      provider && unreachable(provider, `the provider ${name}`, ['verify', 'read']),
    ]),
    // `as`: the object has the same names as before, each with a provider or null.
  ) as Telephony
