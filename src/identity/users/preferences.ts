// How a user likes to see the app. Columns and filters of lists are in saved views.

import { type Context, userOf } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { timezone as readTimezone } from '../../kernel/input/fields.ts'
import { at, Invalid } from '../../kernel/input/problem.ts'

export const colorSchemes = ['system', 'light', 'dark'] as const
export const tableDensities = ['comfortable', 'compact'] as const
export const languages = ['en', 'de'] as const

export interface Preferences {
  colorScheme: (typeof colorSchemes)[number]
  /** Null for the browser's time zone. */
  timezone: string | null
  tableDensity: (typeof tableDensities)[number]
  /** Null until the user chooses one. */
  language: (typeof languages)[number] | null
}

const defaults: Preferences = { colorScheme: 'system', timezone: null, tableDensity: 'comfortable', language: null }

/** The signed-in user's preferences; the defaults until the first change. Null for other callers. */
export async function preferencesOf({ principal, db }: Context): Promise<Preferences | null> {
  if (principal.kind !== 'session') return null
  const row = await db.prisma.userPreferences.findUnique({ where: { userId: principal.userId } })
  if (!row) return defaults
  return {
    colorScheme: colorSchemes.find(one => one === row.colorScheme) ?? defaults.colorScheme,
    timezone: row.timezone,
    tableDensity: tableDensities.find(one => one === row.tableDensity) ?? defaults.tableDensity,
    language: languages.find(one => one === row.language) ?? null,
  }
}

/** Changes the given preferences; null resets one to its default. They belong to no organization, so they have no events. */
export async function updatePreferences(
  context: Context,
  { colorScheme, timezone, tableDensity, language }: { [Name in keyof Preferences]?: Preferences[Name] | null },
): Promise<Preferences> {
  const { userId } = userOf(context)
  const zone = timezone == null ? timezone : readTimezone(timezone)
  if (zone instanceof Invalid) throw invalid(at('timezone', zone))
  const data = {
    ...(colorScheme !== undefined && { colorScheme: colorScheme ?? defaults.colorScheme }),
    ...(zone !== undefined && { timezone: zone }),
    ...(tableDensity !== undefined && { tableDensity: tableDensity ?? defaults.tableDensity }),
    ...(language !== undefined && { language }),
    updatedAt: context.now(),
  }
  await context.db.prisma.userPreferences.upsert({ where: { userId }, create: { userId, ...data }, update: data })
  return (await preferencesOf(context)) ?? defaults
}
