// Amounts of credits, always with their unit.

import { Text } from '@mantine/core'

const exactly = new Intl.NumberFormat(undefined, { maximumFractionDigits: 6 })
const shortly = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })

export const amount = (credits: number): string => `${exactly.format(credits)} ${credits === 1 ? 'credit' : 'credits'}`

/** Shows two decimals, and all six on hover. */
export function Credits({ value }: { value: number }) {
  return (
    <Text span inherit title={amount(value)}>
      {shortly.format(value)} {value === 1 ? 'credit' : 'credits'}
    </Text>
  )
}
