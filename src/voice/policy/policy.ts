// The call policy: whether a call may be dialled now, later or never. Checked before every dial.

import type { VoiceSettings as SettingsRow } from '../../generated/prisma/client.ts'
import type { Context } from '../../kernel/context.ts'
import { type CallingHours, nextOpening } from './calling-hours.ts'
import { selectFacts } from './policy.sql.ts'

/** The facts on which the policy decides. */
export interface PolicyFacts {
  /** Whether the contact, or any contact with this number, must not be called. */
  doNotCall: boolean
  /** Whether the number is on the organization's deny list. */
  isDenied: boolean
  timezone: string | null
  settings: VoiceSettings
}

export interface VoiceSettings {
  /** The maximum number of concurrent calls. */
  concurrency: number
  callingHours: CallingHours
  /** The time zone for contacts without one. */
  defaultTimezone: string
}

export type Verdict =
  | { kind: 'go' }
  | { kind: 'later'; at: Date }
  /** `reason` is the call's `endedReason`. */
  | { kind: 'never'; reason: 'do_not_call' | 'denied_number' | 'calling_hours' | 'expired' }

/** The policy's part of a dry run of a call. */
export interface Policy {
  isAllowed: boolean
  /** When the call would be dialled; null for never. */
  at: string | null
  /** Why the call would be refused or delayed: its `endedReason`, or `calling_hours`. */
  reason: string | null
  /** The time zone of the calling hours. */
  timezone: string
}

declare module '../../kernel/context.ts' {
  interface DryRun {
    /** Whether and when a call would be dialled. */
    policy?: Policy
  }
}

/** The time zone of a callee's calling hours. */
export const zoneOf = ({ timezone, settings }: PolicyFacts): string => timezone ?? settings.defaultTimezone

/** The policy's decision. After `latestAt` the call has expired. */
export function verdictOn(facts: PolicyFacts, latestAt: Date | null, now: Date): Verdict {
  const { doNotCall, isDenied, settings } = facts
  if (doNotCall) return { kind: 'never', reason: 'do_not_call' }
  if (isDenied) return { kind: 'never', reason: 'denied_number' }
  if (latestAt !== null && latestAt < now) return { kind: 'never', reason: 'expired' }
  const opening = nextOpening(settings.callingHours, zoneOf(facts), now)
  if (opening === null || (latestAt !== null && opening > latestAt)) return { kind: 'never', reason: 'calling_hours' }
  return opening > now ? { kind: 'later', at: opening } : { kind: 'go' }
}

/** A trial rings no phone, so only its own latest time counts. */
export const verdictOnTrial = (latestAt: Date | null, now: Date): Verdict =>
  latestAt !== null && latestAt < now ? { kind: 'never', reason: 'expired' } : { kind: 'go' }

/** An organization's settings as stored: without settings there is no row, or one of nulls. */
export type StoredSettings = { [Column in keyof Stored]: Stored[Column] | null }
type Stored = Pick<SettingsRow, 'concurrency' | 'callingFrom' | 'callingUntil' | 'callingDays' | 'defaultTimezone'>

export function settingsFrom(context: Context, stored: StoredSettings | null): VoiceSettings {
  return {
    concurrency: stored?.concurrency ?? context.services.config.VOICE_CONCURRENCY,
    callingHours: {
      from: stored?.callingFrom ?? null,
      until: stored?.callingUntil ?? null,
      days: stored?.callingDays ?? [1, 2, 3, 4, 5, 6, 7],
    },
    defaultTimezone: stored?.defaultTimezone ?? 'UTC',
  }
}

/** The facts about called numbers and contacts, in their order. */
export async function policyFacts(
  context: Context,
  orgId: string,
  callees: readonly { phone: string; contactId: string | null }[],
): Promise<PolicyFacts[]> {
  const values = [orgId, callees.map(({ phone }) => phone), callees.map(({ contactId }) => contactId)]
  const rows = await context.db.query(selectFacts, values)
  return rows.map(row => ({
    ...{ doNotCall: row.doNotCall, isDenied: row.isDenied, timezone: row.timezone },
    settings: settingsFrom(context, row),
  }))
}
