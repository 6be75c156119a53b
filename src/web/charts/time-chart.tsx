// Figures over time: bars from zero, stacked where there are several series, each named beside its sum.

import { BarChart, LineChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { ColorSwatch, Group, Text } from '@mantine/core'
import type { CalendarUnit } from '../generated/schema.ts'
import classes from './charts.module.css'
import { otherName, sumOf, type TimeSeries } from './series.ts'

interface TimeChartProps {
  series: TimeSeries
  /** What a series is called. */
  label(name: string): string
  per: CalendarUnit
  /** For screen readers: "Calls by day". */
  name: string
  format?: (value: number) => string
  /** Lines compare series that are parts of each other; bars stack parts of a sum. */
  as?: 'bars' | 'lines'
  height?: number
}

// The same place in the order has the same colour in each chart.
const colors = ['green.6', 'blue.5', 'amber.5', 'green.3', 'blue.2'] as const

const shortly = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })
const dayNames = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const monthNames = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' })

export function dayLabel(day: string, per: CalendarUnit): string {
  if (per === 'YEAR') return day.slice(0, 4)
  return (per === 'MONTH' ? monthNames : dayNames).format(new Date(`${day}T00:00:00Z`))
}

export function TimeChart({
  series,
  label,
  per,
  name,
  format = value => shortly.format(value),
  as = 'bars',
  height = 200,
}: TimeChartProps) {
  // Keys of their own: the library reads a dot in a name as a path.
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
  const shared = {
    h: height,
    data,
    dataKey: 'day',
    series: drawn,
    valueFormatter: format,
    tickLine: 'none' as const,
    gridAxis: 'x' as const,
    tooltipAnimationDuration: 0,
    yAxisProps: { width: 44, allowDecimals: false, domain: [0, 'auto'] as [number, 'auto'] },
    xAxisProps: { minTickGap: 40 },
  }
  return (
    <figure className={classes.figure} aria-label={`${name}. The table beside it has the same figures.`}>
      {as === 'lines' ? (
        <LineChart {...shared} withDots={false} curveType="linear" lineProps={{ isAnimationActive: false }} />
      ) : (
        <BarChart {...shared} type="stacked" barProps={{ isAnimationActive: false }} maxBarWidth={28} />
      )}
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
