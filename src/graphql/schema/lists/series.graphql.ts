// GraphQL: a point of a series, for charts.

import { builder } from '../builder.ts'

export interface SeriesPoint {
  /** The beginning of the day or other unit of the value. */
  at: string
  value: number
}

export const SeriesPointType = builder.objectRef<SeriesPoint>('SeriesPoint').implement({
  description: 'A value at a time.',
  fields: t => ({
    at: t.expose('at', { type: 'DateTime', description: 'The beginning of the day that it counts, in UTC.' }),
    value: t.exposeFloat('value', { description: 'The value.' }),
  }),
})

/** The time at which the UTC day begins. */
export const startOfDay = (day: string): string => `${day}T00:00:00.000Z`
