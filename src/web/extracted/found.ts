// The values that an agent found out, in the agent's order and with its names.

import { fieldLabel, valueText } from '../language/values.ts'
import { dayText } from '../language/zone.ts'

export interface Found {
  name: string
  label: string
  text: string
}

/** `extraction`: what the agent asks for, in its order. A value that it no longer asks for comes last, and has the words of its key. */
export function foundIn(extracted: Readonly<Record<string, unknown>>, extraction: Readonly<Record<string, unknown>>): Found[] {
  const asked = new Map(Object.entries(extraction).map(([name, wanted]) => [name, wantedOf(wanted)]))
  const place = (name: string) => asked.get(name)?.order ?? Number.POSITIVE_INFINITY
  return Object.entries(extracted)
    .map(([name, value]) => {
      const { title, isDay = false } = asked.get(name) ?? {}
      return { name, label: title || fieldLabel(name), text: textOf(value, isDay) }
    })
    .toSorted((one, other) => (place(one.name) === place(other.name) ? 0 : place(one.name) - place(other.name)))
}

function wantedOf(wanted: unknown): { title: string | null; order: number; isDay: boolean } {
  const { title, order, format } = Object(wanted) as Record<string, unknown>
  return { title: typeof title === 'string' ? title : null, order: typeof order === 'number' ? order : 0, isDay: format === 'date' }
}

const textOf = (value: unknown, isDay: boolean): string =>
  isDay && typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? dayText(value) : valueText(value)
