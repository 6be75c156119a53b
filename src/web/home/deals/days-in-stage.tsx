// How many days deals stay in each stage, on average.

import { Breakdown } from '../../charts/breakdown.tsx'
import { figureWords } from '../../language/en/deals/figures.ts'
import { numberText } from '../../language/format.ts'
import { Figures } from '../figures.tsx'
import { daysText, type FiguresProps } from './figures.ts'
import { FiguresTable } from './table.tsx'

export function DaysInStage({ widget, groups, name, window, isTable }: FiguresProps) {
  const rows = (widget.names ?? []).flatMap(({ key, name: label }) => {
    const group = groups.find(({ keys }) => keys[0] === key)
    return group ? [{ label, stays: group.count, days: group.average ?? 0 }] : []
  })
  const { stage, stays, days } = figureWords.columns
  if (isTable)
    return (
      <FiguresTable
        name={name}
        head={[stage, stays, days]}
        rows={rows.map(row => [row.label, numberText(row.stays), daysText(row.days)])}
      />
    )
  const all = rows.reduce((sum, row) => sum + row.stays, 0)
  const average = rows.reduce((sum, row) => sum + row.days * row.stays, 0) / Math.max(1, all)
  return (
    <Figures number={daysText(average)} words={figureWords.inStage(window)}>
      <Breakdown name={name} parts={rows.map(row => ({ label: row.label, count: row.days, text: daysText(row.days), aside: '' }))} />
    </Figures>
  )
}
