// The share of decided deals that were won, and the amounts won and lost of each currency.

import { Text } from '@mantine/core'
import { Breakdown } from '../../charts/breakdown.tsx'
import { figureWords } from '../../language/en/deals/figures.ts'
import { nounWords } from '../../language/en/values.ts'
import { countText, numberText, percent } from '../../language/format.ts'
import { Figures } from '../figures.tsx'
import { type FiguresProps, money, type Row, rowOf, type Section, sectionsOf } from './figures.ts'
import { FiguresTable } from './table.tsx'

interface Decided {
  currency: string | null
  won: Row
  lost: Row
  rate: string
}

const states = ['won', 'lost'] as const
const shareOf = (won: number, lost: number) => percent(won / Math.max(1, won + lost))

function decidedOf({ currency, rows }: Section): Decided {
  const [won, lost] = [rowOf(rows, 'WON'), rowOf(rows, 'LOST')]
  return { currency, won, lost, rate: shareOf(won.count, lost.count) }
}

export function WinRate({ groups, name, window, isTable }: FiguresProps) {
  const { columns } = figureWords
  const sections = sectionsOf(groups).map(decidedOf)
  if (isTable)
    return (
      <FiguresTable
        name={name}
        head={[columns.state, columns.deals, columns.amount, columns.share]}
        rows={sections.flatMap(({ currency, won, lost }) =>
          states.map(state => {
            const { count, amount } = { won, lost }[state]
            const share = percent(count / Math.max(1, won.count + lost.count))
            const label = currency === null ? columns[state] : figureWords.of(columns[state], currency)
            return [label, numberText(count), currency === null ? '' : money(amount, currency), share]
          }),
        )}
      />
    )
  const won = sections.reduce((sum, section) => sum + section.won.count, 0)
  const lost = sections.reduce((sum, section) => sum + section.lost.count, 0)
  return (
    <Figures number={shareOf(won, lost)} words={figureWords.won(countText(won + lost, nounWords.deal), window)}>
      {sections.map(({ currency, rate, ...of }) => (
        <div key={currency}>
          <Text size="sm" c="dimmed" mt="xs">
            {figureWords.rate(currency ?? figureWords.withoutAmount, rate)}
          </Text>
          <Breakdown
            name={figureWords.of(name, currency ?? figureWords.withoutAmount)}
            parts={states.map(state => {
              const { count, amount } = of[state]
              const part = { label: columns[state], count }
              return currency === null ? part : { ...part, count: amount, text: money(amount, currency), aside: numberText(count) }
            })}
          />
        </div>
      ))}
    </Figures>
  )
}
