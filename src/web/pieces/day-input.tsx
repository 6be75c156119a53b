// A day of a filter, which applies while somebody types. An incomplete date or year changes nothing.

import { TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { dayWords } from '../language/en/inputs/days.ts'

interface DayInputProps {
  label: string
  description?: string
  /** "2026-12-03"; empty for none. */
  value: string
  isFirst?: boolean
  onChange(value: string): void
}

const firstDay = '1000-01-01'
const lastDay = '9999-12-31'

export function DayInput({ label, description, value, isFirst, onChange }: DayInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  // Back or a saved view has changed the address.
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = value
  }, [value])
  return (
    <TextInput
      ref={input}
      type="date"
      label={label}
      description={description}
      defaultValue={value}
      max={lastDay}
      error={problem}
      data-autofocus={isFirst || undefined}
      onChange={({ currentTarget: { value: typed, validity } }) => {
        setProblem(null)
        if (!validity.badInput && (typed === '' || typed >= firstDay)) onChange(typed)
      }}
      onBlur={({ currentTarget: { value: typed, validity } }) => {
        if (validity.badInput) setProblem(dayWords.incomplete)
        else if (typed !== '' && typed < firstDay) setProblem(dayWords.year)
      }}
    />
  )
}
