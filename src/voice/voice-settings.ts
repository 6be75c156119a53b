// How an organization calls: how much at once, and at which hours.

import { at, Failed, timezone } from '../contacts/contact-value.ts'
import { type Context, inTransaction, organizationOf } from '../context.ts'
import { statement } from '../database/client.ts'
import { invalid, type Problem } from '../errors.ts'
import { recordEvent } from '../events.ts'
import { dispatch } from './call-dispatch.ts'
import { settingsColumns, settingsFrom, type VoiceSettings } from './gate.ts'
import { between, problem } from './input.ts'

export interface VoiceSettingsInput {
  concurrency?: number | null
  /** Null: any hour. */
  callingHours?: { from?: string | null; until?: string | null; days?: readonly number[] | null } | null
  defaultTimezone?: string | null
}

type Row = Parameters<typeof settingsFrom>[1]
const selectSettings = statement<Row>(
  'voice_settings',
  `select ${settingsColumns} from (select 1) one left join voice_settings s on s.org_id = $1`,
)
// Locks the organization's settings, and writes them down first where it has none: a lock needs a row.
const holdSettings = statement<Row>(
  'voice_settings_hold',
  `insert into voice_settings as s (org_id, concurrency, updated_at) values ($1, $2, $3)
   on conflict (org_id) do update set updated_at = s.updated_at returning ${settingsColumns}`,
)
const updateSettings = statement<never>(
  'voice_settings_update',
  `update voice_settings set concurrency = $2, calling_from = $3, calling_until = $4, calling_days = $5, default_timezone = $6,
     updated_at = $7 where org_id = $1`,
)

export async function readVoiceSettings(context: Context): Promise<VoiceSettings> {
  return settingsOf(context, await context.db.query(selectSettings, [organizationOf(context)]))
}

/** Changes what the input names. More slots are given out at once. */
export async function updateVoiceSettings(context: Context, input: VoiceSettingsInput): Promise<VoiceSettings> {
  const orgId = organizationOf(context)
  const settings = await context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const now = context.now().toISOString()
    // Held from here on: a change of another setting at the same moment would be written over with what was read before it.
    const before = settingsOf(context, await tx.query(holdSettings, [orgId, context.services.config.VOICE_CONCURRENCY, now]))
    const after = changed(before, input)
    const { callingHours, concurrency, defaultTimezone } = after
    const { from, until, days } = callingHours
    await tx.query(updateSettings, [orgId, concurrency, from, until, days, defaultTimezone, now])
    await recordEvent(inside, { type: 'voice_settings.updated', entityId: orgId, changes: { settings: [before, after] } })
    await tx.afterCommit(() => void dispatch(context.services, orgId))
    return after
  })
  return settings
}

function settingsOf(context: Context, [row]: Row[]): VoiceSettings {
  if (!row) throw new Error('A statement that always has a row had none')
  return settingsFrom(context, row)
}

const clock = /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/
const slots = between(1, 1000)

function changed(before: VoiceSettings, input: VoiceSettingsInput): VoiceSettings {
  const problems: Problem[] = []
  const after = { ...before }
  if (input.concurrency != null) {
    const read = slots(input.concurrency)
    if (read instanceof Failed) problems.push(...at('concurrency', read))
    else after.concurrency = read
  }
  if (input.defaultTimezone != null) {
    const read = timezone(input.defaultTimezone)
    if (read instanceof Failed) problems.push(...at('defaultTimezone', read))
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
    const wrong = (name: string, error: string) =>
      problems.push({ ...problem('callingHours', callingHours, error), path: ['callingHours', name] })
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
