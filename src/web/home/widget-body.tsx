// The content of a widget: a chart over time, bars of parts, or a list. Each is also available as a table.

import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { loadPart } from '../app/loaded.ts'
import { Breakdown } from '../charts/breakdown.tsx'
import { otherName, sumOf, sumOfAll, type TimeSeries, timeSeries } from '../charts/series.ts'
import { TimeChart } from '../charts/time-chart.tsx'
import { TimeTable } from '../charts/time-table.tsx'
import type { WidgetFieldsFragment } from '../generated/operations.ts'
import { homeWords } from '../language/en/home.ts'
import { nounWords, valueWords } from '../language/en/values.ts'
import { countText, decimalText, numberText, type Plural, percent, pluralOf } from '../language/format.ts'
import { sentence } from '../language/values.ts'
import { Figures, Nothing } from './figures.tsx'
import { WidgetItems } from './items.tsx'
import { isOfDeals, partWord, type WidgetKind, widgetKinds, widgetTitle } from './kinds.ts'

interface WidgetBodyProps {
  widget: WidgetFieldsFragment
  isTable: boolean
  /** Set on other sites, where nothing may lead into the app. */
  isEmbedded?: boolean
}

const whole = '-'
const DealWidget = lazy(() => loadPart(() => import('./deals/widget.tsx')))

export function WidgetBody({ widget, isTable, isEmbedded = false }: WidgetBodyProps) {
  const { data, kind, rangeDays, per } = widget
  const { nouns }: WidgetKind = widgetKinds[kind]
  const name = widgetTitle(widget)
  const window = rangeDays === null ? homeWords.allTime : homeWords.days(countText(rangeDays, nounWords.day))
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
    if (placed === 0) return <Nothing kind={kind} />
    return (
      <Figures number={percent(data.answerRate)} words={homeWords.answeredOf(countText(placed, nounWords.placedCall), window)}>
        <Drawn
          series={both}
          isTable={isTable}
          name={name}
          per="DAY"
          as="lines"
          partOf={name => homeWords.answered[name === 'ANSWERED' ? 'answered' : 'placed']}
        />
      </Figures>
    )
  }
  if (isOfDeals(kind)) {
    if (data.groups.length === 0) return <Nothing kind={kind} />
    return (
      <Suspense fallback={<Skeleton height={180} />}>
        <DealWidget kind={kind} widget={widget} groups={data.groups} name={name} window={window} isTable={isTable} />
      </Suspense>
    )
  }
  if (per === null) {
    const parts = data.groups.map(({ keys: [key], count }) => ({ label: partWord(widget, key), count }))
    if (parts.length === 0) return <Nothing kind={kind} />
    const total = parts.reduce((sum, { count }) => sum + count, 0)
    return (
      <Figures number={numberText(total)} words={`${pluralOf(total, nouns)} ${kind === 'ENRICHMENT_JOBS' ? homeWords.allTime : window}`}>
        <Breakdown name={name} parts={parts} />
      </Figures>
    )
  }
  const isSum = kind === 'CREDITS_OVER_TIME'
  const entries = data.groups.flatMap(({ keys: [at, part], count, sum }) =>
    at ? [{ day: at.slice(0, 10), name: widget.groupBy ? (part ?? 'NONE') : whole, value: isSum ? (sum ?? 0) : count }] : [],
  )
  const series = timeSeries(entries, { per, rangeDays })
  if (entries.length === 0) return <Nothing kind={kind} />
  const total = sumOfAll(series)
  return (
    <Figures
      number={decimalText(total)}
      words={isSum ? homeWords.spent(pluralOf(total, nouns), window) : `${pluralOf(total, nouns)} ${window}`}
    >
      <Drawn
        series={series}
        isTable={isTable}
        name={name}
        per={per}
        nouns={nouns}
        partOf={name => partWord(widget, name === 'NONE' ? null : name)}
      />
    </Figures>
  )
}

interface DrawnProps {
  series: TimeSeries
  isTable: boolean
  name: string
  per: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
  nouns?: Plural
  as?: 'bars' | 'lines'
  /** The word of a series. */
  partOf(name: string): string
}

function Drawn({ isTable, nouns, as = 'bars', partOf, ...rest }: DrawnProps) {
  const label = (name: string) => (name === whole ? sentence(nouns?.other ?? '') : name === otherName ? valueWords.others : partOf(name))
  const sum = rest.series.names.length
  if (isTable) return <TimeTable {...rest} label={label} />
  return sum === 0 || (sum === 1 && sumOf(rest.series, rest.series.names[0] ?? '') === 0) ? null : (
    <TimeChart {...rest} label={label} as={as} />
  )
}
