// The filter of a custom field: values, or a range of numbers or days, by the field's type; or whether the field has a value.

import { Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ContactField, Option } from '../../contact-record/fields/fields.ts'
import { filterWords } from '../../language/en/contact/filter-editors.ts'
import { valueWords } from '../../language/en/values.ts'
import { numberOf } from '../../language/number.ts'
import { DayInput } from '../../pieces/day-input.tsx'
import { type CustomCondition, readCondition, writeCondition } from './custom.ts'
import { ChoicesFilter, TextsFilter } from './editors.tsx'

interface CustomFilterProps {
  field: ContactField
  fieldKey: string
  texts: readonly string[]
  onChange(texts: string[] | undefined): void
}

const yesNo: readonly Option[] = [
  { value: 'true', label: valueWords.yes },
  { value: 'false', label: valueWords.no },
]
const bounds = {
  number: ['min', 'max', filterWords.atLeast, filterWords.atMost],
  date: ['since', 'until', filterWords.from, filterWords.until],
} as const

export function CustomFilter({ field, fieldKey, texts, onChange }: CustomFilterProps) {
  const conditions = texts.flatMap(text => readCondition(text) ?? [])
  const own = conditions.filter(({ key }) => key === fieldKey)
  const others = conditions.filter(({ key }) => key !== fieldKey)
  const write = (operators: readonly string[], next: Omit<CustomCondition, 'key'>[]) => {
    const kept = own.filter(({ operator }) => !operators.includes(operator))
    const all = [...others, ...kept, ...next.map(one => ({ ...one, key: fieldKey }))]
    onChange(all.length > 0 ? all.map(writeCondition) : undefined)
  }
  const boundOf = (operator: string) => own.find(one => one.operator === operator)?.value ?? ''
  const chosen = own.filter(({ operator }) => operator === 'is').map(({ value }) => value)
  const choose = (values: string[] | undefined) =>
    write(
      ['is'],
      (values ?? []).map(value => ({ operator: 'is', value })),
    )
  const presence = (operator: 'empty' | 'filled', isOn: boolean) => write(['empty', 'filled'], isOn ? [{ operator, value: '' }] : [])
  const range = field.kind === 'number' || field.kind === 'date' ? bounds[field.kind] : null
  const options = field.kind === 'yesNo' ? yesNo : field.options
  const has = (operator: string) => own.some(one => one.operator === operator)
  return (
    <Stack gap="sm">
      {range ? (
        <Group gap="xs" grow wrap="nowrap">
          {([0, 1] as const).map(index => {
            const operator = range[index]
            const bound = {
              label: range[index === 0 ? 2 : 3],
              value: boundOf(operator),
              isFirst: index === 0,
              onChange: (value: string) => write([operator], value ? [{ operator, value }] : []),
            }
            return field.kind === 'date' ? <DayInput key={operator} {...bound} /> : <NumberBound key={operator} {...bound} />
          })}
        </Group>
      ) : options && options.length > 0 ? (
        <ChoicesFilter label={field.label} value={chosen} options={options} onChange={choose} />
      ) : (
        <TextsFilter label={field.label} value={chosen} onChange={choose} />
      )}
      <Checkbox
        size="xs"
        label={filterWords.hasNone}
        checked={has('empty')}
        onChange={event => presence('empty', event.currentTarget.checked)}
      />
      <Checkbox
        size="xs"
        label={filterWords.hasOne}
        checked={has('filled')}
        onChange={event => presence('filled', event.currentTarget.checked)}
      />
    </Stack>
  )
}

interface NumberBoundProps {
  label: string
  value: string
  isFirst: boolean
  onChange(value: string): void
}

/** An incomplete number, such as "-", changes nothing. */
function NumberBound({ label, value, isFirst, onChange }: NumberBoundProps) {
  const [problem, setProblem] = useState<string | null>(null)
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      defaultValue={value}
      error={problem}
      data-autofocus={isFirst || undefined}
      onChange={({ currentTarget: { value: typed } }) => {
        setProblem(null)
        const number = numberOf(typed)
        if (typed.trim() === '' || number !== null) onChange(number === null ? '' : String(number))
      }}
      onBlur={({ currentTarget: { value: typed } }) => {
        if (typed.trim() !== '' && numberOf(typed) === null) setProblem(filterWords.number)
      }}
    />
  )
}
