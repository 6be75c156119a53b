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

const selectSettings = statement<Parameters<typeof settingsFrom>[1]>(
  'voice_settings',
  `select ${settingsColumns} from (select 1) one left join voice_settings s on s.org_id = $1`,
)
const upsertSettings = statement<never>(
  'voice_settings_upsert',
  `insert into voice_settings (org_id, concurrency, calling_from, calling_until, calling_days, default_timezone, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict (org_id) do update set concurrency = excluded.concurrency,
     calling_from = excluded.calling_from, calling_until = excluded.calling_until, calling_days = excluded.calling_days,
     default_timezone = excluded.default_timezone, updated_at = excluded.updated_at`,
)

export async function readVoiceSettings(context: Context): Promise<VoiceSettings> {
  const [row] = await context.db.query(selectSettings, [organizationOf(context)])
  if (!row) throw new Error('A statement that always has a row had none')
  return settingsFrom(context, row)
}

/** Changes what the input names. More slots are given out at once. */
export async function updateVoiceSettings(context: Context, input: VoiceSettingsInput): Promise<VoiceSettings> {
  const orgId = organizationOf(context)
  const settings = await context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const before = await readVoiceSettings(inside)
    const after = changed(before, input)
    const { callingHours, concurrency, defaultTimezone } = after
    const { from, until, days } = callingHours
    await tx.query(upsertSettings, [orgId, concurrency, from, until, days, defaultTimezone, context.now().toISOString()])
    await recordEvent(inside, { type: 'voice_settings.updated', entityId: orgId, changes: { settings: [before, after] } })
    await tx.afterCommit(() => void dispatch(context.services, orgId))
    return after
  })
  return settings
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
  if (problems.length > 0) throw invalid(...problems)
  return after
}
