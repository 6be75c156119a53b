// Expected amounts of open deals, by month and for each currency.

import { dayLabel } from '../../charts/days.ts'
import { TimeChart } from '../../charts/time-chart.tsx'
import { figureWords } from '../../language/en/deals/figures.ts'
import { nounWords } from '../../language/en/values.ts'
import { countText, numberText } from '../../language/format.ts'
import { Figures } from '../figures.tsx'
import { type FiguresProps, money, monthsOf, rowOf, sectionsOf, shortMoney } from './figures.ts'
import { FiguresTable } from './table.tsx'

export function Forecast({ widget, groups, name, isTable }: FiguresProps) {
  const per = widget.per ?? 'MONTH'
  const sections = sectionsOf(groups)
  const { month, deals, amount } = figureWords.columns
  if (isTable)
    return (
      <FiguresTable
        name={name}
        head={[month, deals, amount]}
        rows={sections.flatMap(section =>
          section.rows.map(row => [
            row.key === null ? figureWords.noDate : dayLabel(row.key, per),
            numberText(row.count),
            section.currency === null ? '' : money(row.amount, section.currency),
          ]),
        )}
      />
    )
  return sections.flatMap(section => {
    if (section.currency === null) return []
    const days = monthsOf(
      section.rows.flatMap(({ key }) => key ?? []),
      per === 'MONTH',
    )
    const rows = days.map(day => ({ day, values: { [section.currency ?? '']: rowOf(section.rows, day).amount } }))
    return [
      <Figures
        key={section.currency}
        number={money(section.amount, section.currency)}
        words={figureWords.forecast(countText(section.count, nounWords.deal))}
      >
        {rows.length > 0 && (
          <TimeChart
            series={{ rows, names: [section.currency] }}
            label={() => section.currency ?? ''}
            per={per}
            name={figureWords.of(name, section.currency)}
            format={shortMoney(section.currency)}
            height={190}
          />
        )}
      </Figures>,
    ]
  })
}
