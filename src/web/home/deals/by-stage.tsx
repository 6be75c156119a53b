// Open deals by stage: their amounts, for each currency.

import { Breakdown } from '../../charts/breakdown.tsx'
import { figureWords } from '../../language/en/deals/figures.ts'
import { nounWords } from '../../language/en/values.ts'
import { countText, numberText } from '../../language/format.ts'
import { Figures } from '../figures.tsx'
import { type FiguresProps, money, rowOf, sectionsOf } from './figures.ts'
import { FiguresTable } from './table.tsx'

export function ByStage({ widget, groups, name, isTable }: FiguresProps) {
  const stages = widget.names ?? []
  const sections = sectionsOf(groups)
  const { stage, deals, amount } = figureWords.columns
  if (isTable)
    return (
      <FiguresTable
        name={name}
        head={[stage, deals, amount]}
        rows={sections.flatMap(section =>
          stages.flatMap(({ key, name: label }) => {
            const row = rowOf(section.rows, key)
            const told = section.currency === null ? '' : money(row.amount, section.currency)
            return row.count === 0 ? [] : [[label, numberText(row.count), told]]
          }),
        )}
      />
    )
  return sections.map(section => {
    const count = countText(section.count, nounWords.deal)
    const label = section.currency ?? figureWords.withoutAmount
    return (
      <Figures
        key={label}
        number={section.currency === null ? count : money(section.amount, section.currency)}
        words={section.currency === null ? figureWords.haveNoAmount : figureWords.open(count)}
      >
        <Breakdown
          name={figureWords.of(name, label)}
          parts={stages.map(({ key, name: stageName }) => {
            const row = rowOf(section.rows, key)
            if (section.currency === null) return { label: stageName, count: row.count }
            return { label: stageName, count: row.amount, text: money(row.amount, section.currency), aside: numberText(row.count) }
          })}
        />
      </Figures>
    )
  })
}
