// Amounts of credits, always with their unit.

import { Text } from '@mantine/core'
import { nounWords } from '../language/en/values.ts'
import { pluralOf } from '../language/format.ts'
import { locale } from '../language/language.ts'

const exactly = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 })
const shortly = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })

export const amount = (credits: number): string => `${exactly.format(credits)} ${pluralOf(credits, nounWords.credit)}`

/** Shows two decimals, and all six on hover. */
export function Credits({ value }: { value: number }) {
  return (
    <Text span inherit title={amount(value)}>
      {shortly.format(value)} {pluralOf(value, nounWords.credit)}
    </Text>
  )
}
