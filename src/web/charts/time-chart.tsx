// Figures over time as bars from zero or as lines. Several series are stacked, and the legend names each with its sum.

import { Box, ColorSwatch, Group, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { loadPart } from '../app/loaded.ts'
import type { CalendarUnit } from '../generated/schema.ts'
import { tableWords } from '../language/en/frame.ts'
import { locale } from '../language/language.ts'
import classes from './charts.module.css'
import { dayLabel } from './days.ts'
import { otherName, sumOf, type TimeSeries } from './series.ts'

interface TimeChartProps {
  series: TimeSeries
  /** The label of a series. */
  label(name: string): string
  per: CalendarUnit
  /** For screen readers: "Calls by day". */
  name: string
  format?: (value: number) => string
  /** Bars stack the parts of a sum. Lines compare series that contain each other. */
  as?: 'bars' | 'lines'
  height?: number
}

// Equal places in the order have equal colours in all charts.
const colors = ['green.6', 'blue.5', 'amber.5', 'green.3', 'blue.2'] as const

const shortly = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
const load = () => loadPart(() => import('./drawing.tsx'))
const Drawing = lazy(load)
// Starts while the figures are read; the screen does not wait for it. After a failure `Drawing` loads again and shows the error.
load().catch(() => null)

export function TimeChart({
  series,
  label,
  per,
  name,
  format = value => shortly.format(value),
  as = 'bars',
  height = 200,
}: TimeChartProps) {
  // Generated keys, because the library reads a dot in a name as a path.
  const drawn = series.names.map((one, index) => ({
    name: `s${index}`,
    of: one,
    label: label(one),
    color: one === otherName ? 'gray.5' : (colors[index] ?? 'gray.5'),
  }))
  const data = series.rows.map(({ day, values }) => ({
    day: dayLabel(day, per),
    ...Object.fromEntries(drawn.map(({ name: key, of }) => [key, values[of] ?? 0])),
  }))
  return (
    <figure className={classes.figure} aria-label={tableWords.figuresOf(name)}>
      <Suspense fallback={<Box h={height} />}>
        <Drawing height={height} data={data} series={drawn} format={format} as={as} />
      </Suspense>
      {drawn.length > 1 && (
        <Group gap="md" component="figcaption" className={classes.legend}>
          {drawn.map(one => (
            <Group key={one.name} gap={6} wrap="nowrap" component="span" miw={0}>
              <ColorSwatch component="span" size={8} flex="none" color={colorOf(one.color)} withShadow={false} aria-hidden />
              <Text span size="xs" truncate>
                {one.label}
              </Text>
              <Text span size="xs" c="dimmed">
                {format(sumOf(series, one.of))}
              </Text>
            </Group>
          ))}
        </Group>
      )}
    </figure>
  )
}

const colorOf = (color: string) => `var(--mantine-color-${color.replace('.', '-')})`
