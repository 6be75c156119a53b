// Deals of each owner that were added, moved, won and lost.

import { Breakdown } from '../../charts/breakdown.tsx'
import { figureWords } from '../../language/en/deals/figures.ts'
import { homeWords } from '../../language/en/home.ts'
import { peopleWords } from '../../language/en/people.ts'
import { numberText } from '../../language/format.ts'
import { Figures } from '../figures.tsx'
import type { FiguresProps } from './figures.ts'
import { FiguresTable } from './table.tsx'

const kinds = ['ADDED', 'MOVED', 'WON', 'LOST'] as const

export function Activity({ widget, groups, name, window, isTable }: FiguresProps) {
  const byOwner = [...Map.groupBy(groups, ({ keys: [owner] }) => owner ?? null)]
  const rows = byOwner
    .map(([owner, found]) => ({
      label: owner === null ? homeWords.nobody : (widget.names?.find(({ key }) => key === owner)?.name ?? peopleWords.formerMember),
      total: found.reduce((sum, { count }) => sum + count, 0),
      counts: kinds.map(kind => found.find(({ keys: [, what] }) => what === kind)?.count ?? 0),
    }))
    .toSorted((a, b) => b.total - a.total)
  const { owner, added, moved, won, lost } = figureWords.columns
  if (isTable)
    return (
      <FiguresTable
        name={name}
        head={[owner, added, moved, won, lost]}
        rows={rows.map(({ label, counts }) => [label, ...counts.map(numberText)])}
      />
    )
  return (
    <Figures number={numberText(rows.reduce((sum, row) => sum + row.total, 0))} words={figureWords.changes(window)}>
      <Breakdown name={name} parts={rows.map(({ label, total: count }) => ({ label, count }))} />
    </Figures>
  )
}
