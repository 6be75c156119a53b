// The settings as operators read them.

import { type Setting, settings } from './settings.ts'

/** The settings for operators: name, meaning and default, as written in the environment. */
export function settingsForOperators(): { name: string; meaning: string; default: string }[] {
  return Object.entries<Setting>(settings).map(([name, { schema, meaning, default: told }]) => ({
    name,
    meaning,
    default: told ?? asWritten(schema.safeParse(undefined).data),
  }))
}

function asWritten(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'boolean' ? String(Number(value)) : String(value)
}

/** The settings as text, for `rolocom settings`. */
export function describeSettings(): string {
  const described = settingsForOperators()
  const width = Math.max(...described.map(({ name }) => name.length))
  return described
    .map(({ name, meaning, default: value }) => `  ${name.padEnd(width)}  ${meaning}${value && ` Default: ${value}.`}`)
    .join('\n')
}
