// Two days, from and until, either of which may be open: what opens under the filter of a list.

import { Stack, TextInput } from '@mantine/core'
import { readRange, writeRange } from '../address/day-range.ts'

interface DayRangeInputsProps {
  label: string
  /** As the address has it. */
  value: string | undefined
  onChange(value: string | undefined): void
}

export function DayRangeInputs({ label, value, onChange }: DayRangeInputsProps) {
  const { from, to } = readRange(value) ?? { from: '', to: '' }
  return (
    <Stack gap="xs">
      <TextInput
        type="date"
        label={`${label} from`}
        value={from}
        max={to || undefined}
        onChange={event => onChange(writeRange({ from: event.currentTarget.value, to }))}
        data-autofocus
      />
      <TextInput
        type="date"
        label={`${label} until`}
        value={to}
        min={from || undefined}
        onChange={event => onChange(writeRange({ from, to: event.currentTarget.value }))}
      />
    </Stack>
  )
}
