// The head of a column: its stage, the number of its deals, and their sum in each currency.

import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { moneyText, numberText } from '../language/format.ts'
import type { BoardColumn } from './arrange.ts'
import classes from './board.module.css'

interface HeadProps {
  column: BoardColumn
  /** At the right. */
  action?: ReactNode
}

export function Head({ column: { stage, count, sums }, action }: HeadProps) {
  // Amounts of several currencies are never added up.
  const amounts = sums.flatMap(({ currency, sum }) => (currency === null || sum === null ? [] : [moneyText(sum, currency)]))
  return (
    <div className={classes.head}>
      <Text component="h2" size="sm" fw={600} truncate>
        {stage.name}
      </Text>
      <Text size="sm" c="dimmed">
        {numberText(count)}
      </Text>
      {action && <div className={classes.action}>{action}</div>}
      <div className={classes.sums}>
        {amounts.map(amount => (
          <span key={amount}>{amount}</span>
        ))}
      </div>
    </div>
  )
}
