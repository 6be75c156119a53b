// The drawing of a figure over time, without its legend. It is a file of its own, because the drawing library is larger than any screen.

import { BarChart, LineChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { ticksTo } from './ticks.ts'

interface DrawingProps {
  height: number
  data: Record<string, unknown>[]
  series: { name: string; label: string; color: string }[]
  format(value: number): string
  as: 'bars' | 'lines'
}

export default function Drawing({ height, data, series, format, as }: DrawingProps) {
  const shared = {
    h: height,
    data,
    dataKey: 'day',
    series,
    valueFormatter: format,
    tickLine: 'none' as const,
    gridAxis: 'x' as const,
    tooltipAnimationDuration: 0,
    yAxisProps: { width: axisWidth(data, format), ...axisTo(largestOf(data, as)) },
    xAxisProps: { minTickGap: 16 },
  }
  return as === 'lines' ? (
    <LineChart {...shared} withDots={false} curveType="linear" lineProps={{ isAnimationActive: false }} />
  ) : (
    <BarChart {...shared} type="stacked" barProps={{ isAnimationActive: false }} maxBarWidth={28} />
  )
}

// Bars of a day stand upon each other, lines do not.
const largestOf = (data: DrawingProps['data'], as: DrawingProps['as']) =>
  Math.max(
    0,
    ...data.map(row => {
      const values = Object.values(row).filter(value => typeof value === 'number')
      return as === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values)
    }),
  )

function axisTo(largest: number) {
  const ticks = ticksTo(largest)
  return { ticks, domain: [0, ticks.at(-1) ?? 0] as [number, number] }
}

// Labels with a currency, such as €25.5K, are wider than counts.
const axisWidth = (data: DrawingProps['data'], format: DrawingProps['format']) =>
  Math.max(0, ...data.flatMap(row => Object.values(row).map(value => (typeof value === 'number' ? format(value).length : 0)))) > 5 ? 60 : 44
