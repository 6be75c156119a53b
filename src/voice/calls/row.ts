// The table of calls: properties and columns.

import type { Contact } from '../../contacts/contact/row.ts'
import {
  attachment,
  bigint,
  boolean,
  integer,
  jsonb,
  object,
  type RowOf,
  type Selected,
  table,
  text,
  timestamptz,
  uuid,
} from '../../database/table.ts'
import { creditsOf, roundToMicro } from '../../kernel/money.ts'
import { eventsOf, update } from '../../kernel/nouns/events.ts'
import { actorColumns } from '../../kernel/principal.ts'
import type { ListedAgent } from '../agents/agent.sql.ts'
import type { AnsweredBy, CallOutcome, CallStatus, ProviderName, VoicemailAction } from '../providers/telephony.ts'
import type { Reported } from '../transitions/reported.ts'
import type { DispatchState } from '../transitions/state.ts'

export const callEvents = eventsOf('call', {
  created: 'A call was accepted.',
  ended: update('A call is over.'),
  updated: update('A call was changed.'),
})

const credits = bigint.converted(creditsOf, roundToMicro)
export const jsonObject = jsonb.as<Record<string, unknown>>()

// The properties that lists can show. Transcripts and extracted values are loaded by their fields.
const listed = {
  id: uuid,
  orgId: uuid,
  agentId: uuid,
  agentVersion: integer,
  contactId: uuid.orNull(),
  /** The deal that it is about. */
  dealId: uuid.orNull(),
  provider: text.as<ProviderName>(),
  /** Played by the simulator to try the agent: of no contact, and not counted. */
  isTrial: boolean,
  direction: text.as<'outbound' | 'inbound'>(),
  dispatchState: text.as<DispatchState>(),
  status: text.as<CallStatus>(),
  outcome: text.as<CallOutcome>().orNull(),
  fromNumber: text.orNull(),
  toNumber: text,
  providerCallId: text.orNull(),
  recordingUrl: text.orNull(),
  summary: text.orNull(),
  answeredBy: text.as<AnsweredBy>().orNull(),
  answeredAt: timestamptz.orNull(),
  endedAt: timestamptz.orNull(),
  durationSeconds: integer.orNull(),
  endedReason: text.orNull(),
  providerReason: text.orNull(),
  metadata: jsonObject,
  schedule: object({ earliestAt: timestamptz.named('earliest_at').orNull(), latestAt: timestamptz.named('latest_at').orNull() }),
  maxDurationSeconds: integer,
  ringTimeoutSeconds: integer,
  record: boolean,
  voicemail: object({ action: text.as<VoicemailAction>(), message: text.orNull() }),
  creditsReserved: credits,
  /** Null until the call has ended. */
  creditsCharged: credits.orNull(),
  dispatchedAt: timestamptz.orNull(),
  createdBy: object(actorColumns),
  createdAt: timestamptz,
  updatedAt: timestamptz,
  version: integer,
  /** Read with the page if its query selects it; undefined if the field has to load it. */
  loadedAgent: attachment<ListedAgent | null>(),
  loadedContact: attachment<Contact | null>(),
}
export const calls = table('calls', listed)

export const callRecords = table('calls', {
  ...listed,
  extracted: jsonObject,
  reported: jsonb.as<Reported>().orNull(),
  variables: jsonObject,
  holdId: text.orNull(),
  /** The earliest time of the dial. */
  dispatchAfter: timestamptz,
  dispatchAttempts: integer,
  /** When the last dial began. */
  claimedAt: timestamptz.orNull(),
  lookups: integer,
  cancelRequestedAt: timestamptz.orNull(),
  /** How long its transcript is, or was. */
  transcriptLines: integer,
})

/** A call as lists show it. Properties are named as in the schema; times are ISO 8601 text, amounts are credits. */
export interface Call extends RowOf<typeof calls> {}
/** The properties that every row of a list has. */
export const listedProperties = [
  'id',
  'createdAt',
  'agentId',
  'agentVersion',
  'contactId',
  'dealId',
  'loadedAgent',
  'loadedContact',
] as const
export type CallInList = Pick<Call, (typeof listedProperties)[number]>
/** A call in a list, with the properties that its query selects. */
export type ListedCall = Selected<Call, keyof CallInList>
/** A call with all properties that its transitions need. */
export interface CallRecord extends RowOf<typeof callRecords> {}
