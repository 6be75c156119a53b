// The one gate in front of every phone: whether a call may be placed now, later or never. No door and no tool has a way around it.

import type { Context } from '../context.ts'
import { statement } from '../database/client.ts'
import { type CallingHours, nextOpening } from './calling-hours.ts'

/** What the gate looks at. */
export interface GateFacts {
  /** The contact, or any contact with this number, must not be called. */
  doNotCall: boolean
  /** The number is on the organization's list. */
  isDenied: boolean
  timezone: string | null
  settings: VoiceSettings
}

export interface VoiceSettings {
  /** Calls at once. */
  concurrency: number
  callingHours: CallingHours
  /** The time zone of contacts that have none. */
  defaultTimezone: string
}

export type Verdict =
  | { kind: 'go' }
  | { kind: 'later'; at: Date }
  /** `reason` is the call's `endedReason`. */
  | { kind: 'never'; reason: 'do_not_call' | 'denied_number' | 'calling_hours' | 'expired' }

/** `latestAt` is when the call is no longer wanted. */
export function verdictOn({ doNotCall, isDenied, timezone, settings }: GateFacts, latestAt: Date | null, now: Date): Verdict {
  if (doNotCall) return { kind: 'never', reason: 'do_not_call' }
  if (isDenied) return { kind: 'never', reason: 'denied_number' }
  if (latestAt !== null && latestAt < now) return { kind: 'never', reason: 'expired' }
  const opening = nextOpening(settings.callingHours, timezone ?? settings.defaultTimezone, now)
  if (opening === null || (latestAt !== null && opening > latestAt)) return { kind: 'never', reason: 'calling_hours' }
  return opening > now ? { kind: 'later', at: opening } : { kind: 'go' }
}

interface SettingsRow {
  concurrency: number | null
  from: string | null
  until: string | null
  days: number[] | null
  defaultTimezone: string | null
}

/** The columns of an organization's settings, all null where it has none; `s` is their table. */
export const settingsColumns =
  's.concurrency, s.calling_from as "from", s.calling_until as "until", s.calling_days as days, s.default_timezone as "defaultTimezone"'

export function settingsFrom(context: Context, { concurrency, from, until, days, defaultTimezone }: SettingsRow): VoiceSettings {
  return {
    concurrency: concurrency ?? context.services.config.VOICE_CONCURRENCY,
    callingHours: { from, until, days: days ?? [1, 2, 3, 4, 5, 6, 7] },
    defaultTimezone: defaultTimezone ?? 'UTC',
  }
}

// Whoever asked not to be called stays uncalled, also when somebody has deleted the contact since, or dials the number for another one.
export const doNotCallSql = (orgId: string, phone: string, contactId: string) =>
  `exists (select from contacts k where k.org_id = ${orgId} and k.do_not_call and (k.phone = ${phone} or k.id = ${contactId}))`
export const deniedSql = (orgId: string, phone: string) =>
  `exists (select from denied_numbers d where d.org_id = ${orgId} and d.phone = ${phone})`

const selectFacts = statement<SettingsRow & { doNotCall: boolean; isDenied: boolean; timezone: string | null }>(
  'call_gate',
  `select ${doNotCallSql('$1', '$2', '$3::uuid')} as "doNotCall", ${deniedSql('$1', '$2')} as "isDenied",
     (select timezone from contacts where org_id = $1 and id = $3::uuid) as timezone, ${settingsColumns}
   from (select 1) one left join voice_settings s on s.org_id = $1`,
)

/** What the gate needs to know of a number, and of the contact the call is for. */
export async function gateFacts(context: Context, orgId: string, phone: string, contactId: string | null): Promise<GateFacts> {
  const [row] = await context.db.query(selectFacts, [orgId, phone, contactId])
  if (!row) throw new Error('A statement that always has a row had none')
  return { doNotCall: row.doNotCall, isDenied: row.isDenied, timezone: row.timezone, settings: settingsFrom(context, row) }
}
