// The content of a widget: a chart over time, bars of parts, or a list. Each is also available as a table.

import { Text } from '@mantine/core'
import { Breakdown } from '../charts/breakdown.tsx'
import { otherName, sumOf, sumOfAll, type TimeSeries, timeSeries } from '../charts/series.ts'
import { TimeChart } from '../charts/time-chart.tsx'
import { TimeTable } from '../charts/time-table.tsx'
import type { WidgetFieldsFragment } from '../generated/operations.ts'
import { words } from '../pieces/status.tsx'
import { countText, percent } from '../words/values.ts'
import classes from './home.module.css'
import { WidgetItems } from './items.tsx'
import { type WidgetKind, widgetKinds, widgetTitle } from './kinds.ts'

interface WidgetBodyProps {
  widget: WidgetFieldsFragment
  isTable: boolean
  /** Set on other sites, where nothing may lead into the app. */
  isEmbedded?: boolean
}

const whole = '-'

export function WidgetBody({ widget, isTable, isEmbedded = false }: WidgetBodyProps) {
  const { data, kind, rangeDays, per } = widget
  const { nouns }: WidgetKind = widgetKinds[kind]
  const name = widgetTitle(widget)
  const window = rangeDays === null ? 'of all time' : `in ${countText(rangeDays, ['day', 'days'])}`
  if (!data) return null
  if (data.__typename === 'DashboardWidgetItems') return <WidgetItems items={data.items} kind={kind} isEmbedded={isEmbedded} />
  if (data.__typename === 'CallStats') {
    const entries = (points: typeof data.placedByDay, of: string) =>
      points.map(({ at, value }) => ({ day: at.slice(0, 10), name: of, value }))
    const both = timeSeries([...entries(data.placedByDay, 'PLACED'), ...entries(data.answeredByDay, 'ANSWERED')], {
      per: 'WEEK',
      rangeDays,
    })
    const placed = sumOf(both, 'PLACED')
    if (placed === 0) return <Nothing nouns={['placed call', 'placed calls']} />
    return (
      <Figures
        number={percent(data.answerRate)}
        words={`of ${countText(placed, ['placed call', 'placed calls'])} answered ${window}, days of UTC`}
      >
        <Drawn series={both} isTable={isTable} name={name} per="DAY" as="lines" />
      </Figures>
    )
  }
  if (per === null) {
    const parts = data.groups.map(({ keys: [key], count }) => ({ label: partLabel(key), count }))
    if (parts.length === 0) return <Nothing nouns={nouns} />
    const total = parts.reduce((sum, { count }) => sum + count, 0)
    return (
      <Figures
        number={total.toLocaleString()}
        words={`${nouns[total === 1 ? 0 : 1]} ${kind === 'ENRICHMENT_JOBS' ? 'of all time' : window}`}
      >
        <Breakdown name={name} parts={parts} />
      </Figures>
    )
  }
  const isSum = kind === 'CREDITS_OVER_TIME'
  const entries = data.groups.flatMap(({ keys: [at, part], count, sum }) =>
    at ? [{ day: at.slice(0, 10), name: widget.groupBy ? (part ?? 'NONE') : whole, value: isSum ? (sum ?? 0) : count }] : [],
  )
  const series = timeSeries(entries, { per, rangeDays })
  if (entries.length === 0) return <Nothing nouns={nouns} />
  const total = sumOfAll(series)
  return (
    <Figures
      number={total.toLocaleString(undefined, { maximumFractionDigits: 2 })}
      words={`${nouns[total === 1 ? 0 : 1]} ${isSum ? 'spent ' : ''}${window}`}
    >
      <Drawn series={series} isTable={isTable} name={name} per={per} nouns={nouns} />
    </Figures>
  )
}

function Figures({ number, words: said, children }: { number: string; words: string; children: React.ReactNode }) {
  return (
    <>
      <p className={classes.figure}>
        <span className={classes.number}>{number}</span> <span className={classes.said}>{said}</span>
      </p>
      {children}
    </>
  )
}

interface DrawnProps {
  series: TimeSeries
  isTable: boolean
  name: string
  per: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
  nouns?: readonly [string, string]
  as?: 'bars' | 'lines'
}

function Drawn({ isTable, nouns, as = 'bars', ...rest }: DrawnProps) {
  const label = (name: string) => (name === whole ? words(nouns?.[1] ?? '') : name === otherName ? 'Others' : partLabel(name))
  const sum = rest.series.names.length
  if (isTable) return <TimeTable {...rest} label={label} />
  return sum === 0 || (sum === 1 && sumOf(rest.series, rest.series.names[0] ?? '') === 0) ? null : (
    <TimeChart {...rest} label={label} as={as} />
  )
}

const partLabel = (key: string | null | undefined) => (key ? (/^[A-Z_]+$/.test(key) ? words(key) : key) : 'None')

const Nothing = ({ nouns }: { nouns: readonly [string, string] }) => (
  <Text size="sm" c="dimmed" py="lg">
    No {nouns[1]} in this range.
  </Text>
)
