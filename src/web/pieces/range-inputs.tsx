// The filter of a list by days: from and until, each optional.

import { Stack, Text } from '@mantine/core'
import { readRange, writeRange } from '../address/day-range.ts'
import { dayWords } from '../language/en/inputs/days.ts'
import { DayInput } from './day-input.tsx'

interface DayRangeInputsProps {
  label: string
  /** The range as the address writes it. */
  value: string | undefined
  onChange(value: string | undefined): void
}

export function DayRangeInputs({ label, value, onChange }: DayRangeInputsProps) {
  const { from, to } = readRange(value) ?? { from: '', to: '' }
  return (
    <Stack gap="xs">
      <DayInput label={dayWords.from(label)} value={from} isFirst onChange={day => onChange(writeRange({ from: day, to }))} />
      <DayInput label={dayWords.to(label)} value={to} onChange={day => onChange(writeRange({ from, to: day }))} />
      <Text size="xs" c="dimmed">
        {dayWords.help}
      </Text>
    </Stack>
  )
}
