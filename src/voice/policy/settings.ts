// Voice settings of an organization: concurrency, calling hours, default time zone.

import { isDeepStrictEqual } from 'node:util'
import { countryOf } from '../../identity/organizations/country-and-currency.ts'
import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { zoneOfCountry } from '../../kernel/countries.ts'
import { invalid } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { timezone } from '../../kernel/input/fields.ts'
import { at, Invalid, type Problem, valueError } from '../../kernel/input/problem.ts'
import { eventsOf, update } from '../../kernel/nouns/events.ts'
import { decideAgain } from '../dispatch/dispatch.sql.ts'
import { dispatch } from '../dispatch/dispatch.ts'
import { between } from '../fields.ts'
import { settingsFrom, type VoiceSettings } from './policy.ts'

const events = eventsOf('voice_settings', {
  updated: update('The voice settings were changed.'),
})

export interface VoiceSettingsInput {
  concurrency?: number | null
  /** Null for any time. */
  callingHours?: { from?: string | null; until?: string | null; days?: readonly number[] | null } | null
  defaultTimezone?: string | null
}

export async function readVoiceSettings(context: Context): Promise<VoiceSettings> {
  const orgId = organizationOf(context)
  const stored = await context.db.prisma.voiceSettings.findUnique({ where: { orgId } })
  return stored ? settingsFrom(context, stored) : firstSettings(context, orgId)
}

/** Before anybody has set anything. Calls need no time zone then, because their hours are not limited. */
async function firstSettings(context: Context, orgId: string): Promise<VoiceSettings> {
  const settings = settingsFrom(context, null)
  const zone = zoneOfCountry(await countryOf(context, orgId), context.now())
  return { ...settings, defaultTimezone: zone ?? settings.defaultTimezone }
}

/** Changes the given settings. Additional slots are used at once. */
export async function updateVoiceSettings(context: Context, input: VoiceSettingsInput): Promise<VoiceSettings> {
  const orgId = organizationOf(context)
  const now = context.now()
  return context.db.transaction(async tx => {
    const { concurrency, defaultTimezone } = await firstSettings(inTransaction(context, tx), orgId)
    // Inserts the row if absent, because only an existing row can be locked, and concurrent changes must run one after the other.
    const locked = await tx.prisma.voiceSettings.upsert({
      where: { orgId },
      create: { orgId, concurrency, defaultTimezone, updatedAt: now },
      update: { updatedAt: now },
    })
    const before = settingsFrom(context, locked)
    const after = applyChanges(before, input)
    await tx.prisma.voiceSettings.update({
      where: { orgId },
      data: {
        concurrency: after.concurrency,
        callingFrom: after.callingHours.from,
        callingUntil: after.callingHours.until,
        callingDays: [...after.callingHours.days],
        defaultTimezone: after.defaultTimezone,
      },
    })
    const changes = { settings: [before, after] }
    await recordEvent(inTransaction(context, tx), { type: events.updated, entityId: orgId, changes })
    if (after.defaultTimezone !== before.defaultTimezone || !isDeepStrictEqual(after.callingHours, before.callingHours))
      await tx.query(decideAgain, [orgId])
    await tx.afterCommit(() => void dispatch(context.services, orgId))
    return after
  })
}

const clock = /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/
const slots = between(1, 1000)

function applyChanges(before: VoiceSettings, input: VoiceSettingsInput): VoiceSettings {
  const problems: Problem[] = []
  const after = { ...before }
  if (input.concurrency != null) {
    const read = slots(input.concurrency)
    if (read instanceof Invalid) problems.push(...at('concurrency', read))
    else after.concurrency = read
  }
  if (input.defaultTimezone != null) {
    const read = timezone(input.defaultTimezone)
    if (read instanceof Invalid) problems.push(...at('defaultTimezone', read))
    else after.defaultTimezone = read ?? before.defaultTimezone
  }
  const { callingHours } = input
  if (callingHours === null) after.callingHours = { from: null, until: null, days: [1, 2, 3, 4, 5, 6, 7] }
  if (callingHours) {
    const hours = {
      from: callingHours.from ?? null,
      until: callingHours.until ?? null,
      days: callingHours.days ?? before.callingHours.days,
    }
    const wrong = (name: string, error: string) => problems.push(valueError(['callingHours', name], error, callingHours))
    for (const name of ['from', 'until'] as const)
      if (hours[name] !== null && !clock.test(hours[name])) wrong(name, 'a time of day is written HH:MM')
    if ((hours.from === null) !== (hours.until === null)) wrong('until', 'from and until belong together')
    else if (hours.from !== null && hours.until !== null && hours.from >= hours.until) wrong('until', 'it must be after from')
    if (hours.days.length === 0 || hours.days.some(day => !Number.isInteger(day) || day < 1 || day > 7))
      wrong('days', 'days are numbers from 1 (Monday) to 7 (Sunday), at least one')
    after.callingHours = { ...hours, days: [...new Set(hours.days)].sort() }
  }
  if (problems.length > 0) throw invalid(problems)
  return after
}
