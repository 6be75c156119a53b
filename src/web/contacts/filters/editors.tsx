// Editors below a filter's chip: values to check, texts to add, a range of days, yes or no.

import { Checkbox, Radio, SegmentedControl, Stack, TagsInput } from '@mantine/core'
import { useState } from 'react'
import { useTagNames } from '../../contact-record/fields/choices.ts'
import type { Option } from '../../contact-record/fields/fields.ts'
import { filterWords } from '../../language/en/contact/filter-editors.ts'
import { fieldWords } from '../../language/en/values.ts'
import { Several } from '../../pieces/several.tsx'

export interface EditorProps<Value> {
  label: string
  value: Value | undefined
  onChange(value: Value | undefined): void
}

// The API's limit.
const maxValues = 20
const orNothing = <Value,>(values: Value[]): Value[] | undefined => (values.length > 0 ? values : undefined)

export function ChoicesFilter({ label, value = [], options, onChange }: EditorProps<string[]> & { options: readonly Option[] }) {
  if (options.length > 12)
    return (
      <Several
        label={label}
        data={[...options]}
        value={value}
        onChange={next => onChange(orNothing(next))}
        data-autofocus
        comboboxProps={{ withinPortal: false }}
      />
    )
  return (
    <Checkbox.Group label={label} value={value} onChange={next => onChange(orNothing(next))}>
      <Stack gap={8} mt={8}>
        {options.map((option, index) => (
          <Checkbox key={option.value} size="xs" value={option.value} label={option.label} data-autofocus={index === 0 || undefined} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

interface TextsFilterProps extends EditorProps<string[]> {
  options?: readonly string[]
  /** Whether a part of the value is enough to match. */
  isPart?: boolean
}

export function TextsFilter({ label, value = [], options, isPart = false, onChange }: TextsFilterProps) {
  return (
    <TagsInput
      label={label}
      description={isPart ? filterWords.part : filterWords.several}
      data={[...(options ?? [])]}
      value={value}
      onChange={next => onChange(orNothing(next))}
      maxTags={maxValues}
      acceptValueOnBlur
      data-autofocus
      comboboxProps={{ withinPortal: false }}
    />
  )
}

interface TagsFilterProps {
  any: string[] | undefined
  all: string[] | undefined
  onChange(change: { tag: string[] | undefined; tagAll: string[] | undefined }): void
}

export function TagsFilter({ any, all, onChange }: TagsFilterProps) {
  const [text, setText] = useState('')
  const [isAll, setAll] = useState(all !== undefined)
  const names = useTagNames(text)
  const value = (isAll ? all : any) ?? []
  const change = (next: string[], takesAll: boolean) =>
    onChange({ tag: takesAll ? undefined : orNothing(next), tagAll: takesAll ? orNothing(next) : undefined })
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        aria-label={filterWords.howTags}
        data={[
          { value: 'any', label: filterWords.any },
          { value: 'all', label: filterWords.all },
        ]}
        value={isAll ? 'all' : 'any'}
        onChange={next => {
          setAll(next === 'all')
          change(value, next === 'all')
        }}
      />
      <Several
        label={fieldWords.tags}
        data={[...new Set([...names, ...value])]}
        value={value}
        onChange={next => change(next, isAll)}
        onSearchChange={setText}
        maxValues={maxValues}
        nothingFoundMessage={filterWords.noTag}
        data-autofocus
        comboboxProps={{ withinPortal: false }}
      />
    </Stack>
  )
}

export function FlagFilter({ label, value, options, onChange }: EditorProps<string> & { options: Readonly<Record<string, string>> }) {
  return (
    <Radio.Group label={label} value={value ?? ''} onChange={onChange}>
      <Stack gap={8} mt={8}>
        {Object.entries(options).map(([one, text], index) => (
          <Radio key={one} size="xs" value={one} label={text} data-autofocus={index === 0 || undefined} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
